// What must hold of the sizes of a run, and what of it can be shown before there is one.
#ifndef WEFT_IR_MODEL_OBLIGATIONS_OBLIGATIONS_H
#define WEFT_IR_MODEL_OBLIGATIONS_OBLIGATIONS_H

#include "ir/model/Dims.h"
#include "ir/size/SizeOrder.h"

#include <set>

namespace weft::model {

/// One thing that must hold. `code` is the error code if it holds for no size, `at` the place that
/// requires it.
struct Obligation {
  RequireAttr holds;
  llvm::StringRef code;
  mlir::Location at;
  bool isBound =
      false; ///< a declared bound: other obligations are proved from it, not it from itself
};

/// " (gpt.weft:7)": the user's own line of a place, in the words of messages; nothing where there
/// is none.
std::string lineOf(mlir::Location at);
/// ``x[seq = 2]`` for "x", or what stands for a value without a name.
std::string called(mlir::Value value, const llvm::Twine &otherwise);

Obligation obliged(mlir::Location at, llvm::StringRef code, Relation relation, const Size &left,
                   const Size &right, const llvm::Twine &text);

/// Every dimension that a function names, and those in the formulas of their sizes.
std::set<std::string> spokenOf(mlir::func::FuncOp function, const Dims &dims);

/// `what` with `size` applied to both sides, and divisions multiplied out.
RequireAttr rewritten(RequireAttr what, const std::function<Size(const Size &)> &size);

/// What a function requires of sizes.
struct Demands {
  std::vector<Obligation> all;
  /// Gathers whose indices cannot be proved to be in range, at any size.
  llvm::SmallVector<mlir::Operation *> unproved;
};
/// Of every dimension that `function` names, of every op in it, and of every position that it
/// computes. Each is there once, the sizes of dimensions first.
Demands demands(mlir::func::FuncOp function, const Dims &dims);

/// What is known of the sizes of every run of a function.
class Known {
public:
  explicit Known(const Dims &dims) : dims(dims) {}
  enum class Verdict { always, never, open };
  Verdict judge(const Obligation &obligation) const;
  /// In terms of dimensions that come with the data.
  SizeFacts facts(bool withBounds = true) const;
  Size resolve(const Size &size) const { return dims.resolve(size); }
  /// Whether every position of `positions` is one of `dim` in every run.
  bool isAmong(DimAttr positions, DimAttr dim) const;

private:
  const Dims &dims;
};

/// The message of what does not hold at these sizes; nothing if it holds. With a number beyond 64
/// bits it does not hold.
std::optional<std::string>
broken(RequireAttr what, const std::function<std::optional<int64_t>(const std::string &)> &sizeOf);

/// Whether `list` has an entry with the same relation and sizes as `what`, whatever its message.
bool isListed(llvm::ArrayRef<mlir::Attribute> list, RequireAttr what, const Known &known);

} // namespace weft::model

#endif // WEFT_IR_MODEL_OBLIGATIONS_OBLIGATIONS_H
