// What passes say of a function beside changing it: what they left as it is and why, and what it
// costs. `weft explain` lists it below the function.
#ifndef WEFT_PASSES_REMARKS_H
#define WEFT_PASSES_REMARKS_H

#include "ir/model/SourceLines.h"
#include "ir/model/demands/Demands.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace weft {

/// Which pass speaks, by its flag, and of what, in one word: "weft-form-softmax", "softmax".
struct RemarkTopic {
  llvm::StringRef pass, name;

  mlir::remark::RemarkOpts in(mlir::func::FuncOp function) const {
    return mlir::remark::RemarkOpts::name(name).category(pass).function(function.getSymName());
  }
};

/// What is said of a fusion: it has the fusion's own name.
constexpr RemarkTopic topicOf(std::string_view fusion) {
  const model::Fusion *found = model::findFusion(fusion);
  return {found->pass, found->name}; // none: this is no constant
}

/// Something was not done at `op`. Where a program requires it of `op`, or of the ops `beside` it,
/// it is told the same (`weft-answer-demands`).
inline void remarkMissed(mlir::Operation *op, RemarkTopic topic, const llvm::Twine &why,
                         llvm::ArrayRef<mlir::Operation *> beside = {}) {
  auto function = op->getParentOfType<mlir::func::FuncOp>();
  mlir::remark::missed(op->getLoc(), topic.in(function)) << why.str();
  llvm::SmallVector<mlir::Operation *> ops{op};
  llvm::append_range(ops, beside);
  model::noteRefusal(ops, topic.name, why.str());
}

/// Whether the program forbids this fusion of `op`, or of the ops `beside` it; remarks it.
inline bool isForbidden(mlir::Operation *op, RemarkTopic topic,
                        llvm::ArrayRef<mlir::Operation *> beside = {}) {
  llvm::SmallVector<mlir::Operation *> ops{op};
  llvm::append_range(ops, beside);
  std::optional<model::Demand> demand = model::forbidding(ops, topic.name);
  if (!demand)
    return false;
  mlir::FileLineColLoc at = model::sourceOf(demand->at);
  std::string line = at ? " in line " + std::to_string(at.getLine()) : "";
  remarkMissed(op, topic,
               topic.name + " is not fused: `" + demand->text() + "`" + line +
                   " forbids it here; without that it is fused",
               beside);
  return true;
}

/// What something in `function` costs.
inline void remarkCost(mlir::Location at, mlir::func::FuncOp function, RemarkTopic topic,
                       const llvm::Twine &what) {
  mlir::remark::analysis(at, topic.in(function)) << what.str();
}

} // namespace weft

#endif // WEFT_PASSES_REMARKS_H
