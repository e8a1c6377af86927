// A program in this process, from its text to a planned module, without a word on the terminal.
#ifndef WEFT_TOOLS_REDUCE_COMPILED_LOWERED_H
#define WEFT_TOOLS_REDUCE_COMPILED_LOWERED_H

#include "codegen/Target.h"
#include "frontend/syntax/parse/Parser.h"
#include "tools/reduce/subject/Subject.h"
#include "tools/reduce/subject/Verdict.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace weft::reduce {

/// Everything that is said while it lives.
class Said {
public:
  explicit Said(mlir::MLIRContext &context);
  std::string take() { return std::exchange(text, ""); }

private:
  std::string text;
};

class Lowered {
public:
  Lowered();

  /// Reads, checks and builds. Right, invalid, internal, unbuilt or format. How it is lowered from
  /// then on is as the subject says.
  Verdict load(const Subject &subject);
  /// As the source says it.
  mlir::ModuleOp module() { return owned.get(); }
  mlir::OwningOpRef<mlir::ModuleOp> copy() { return owned->clone(); }

  /// Takes `module` through the stages behind `after` up to `last`, from the stage `kernel` on for
  /// `target`. Empty, or what was said.
  std::optional<std::string> lower(mlir::ModuleOp module, llvm::StringRef after,
                                   llvm::StringRef last,
                                   const std::vector<std::string> &without = {},
                                   bool gradients = true, const Target *target = nullptr);
  /// What was said since the last call.
  std::string said() { return words.take(); }

private:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Said words;
  mlir::OwningOpRef<mlir::ModuleOp> owned;
  bool chunks = false;
};

/// What a problem of the stage `model` comes to: what the language refuses has a code (`weft check`
/// runs this stage too); the rest is a fault.
Verdict ofStageModel(llvm::StringRef problem);

/// Whether the builder made it for a training: what is left of it is the training's gradient.
bool isLossOfTraining(mlir::func::FuncOp function);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_COMPILED_LOWERED_H
