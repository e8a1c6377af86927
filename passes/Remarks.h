// What passes say of a function beside changing it: what they left as it is and why, and what it
// costs. `weft explain` lists it below the function.
#ifndef WEFT_PASSES_REMARKS_H
#define WEFT_PASSES_REMARKS_H

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

/// Something was not done at `op`.
inline void remarkMissed(mlir::Operation *op, RemarkTopic topic, const llvm::Twine &why) {
  auto function = op->getParentOfType<mlir::func::FuncOp>();
  mlir::remark::missed(op->getLoc(), topic.in(function)) << why.str();
}

/// What something in `function` costs.
inline void remarkCost(mlir::Location at, mlir::func::FuncOp function, RemarkTopic topic,
                       const llvm::Twine &what) {
  mlir::remark::analysis(at, topic.in(function)) << what.str();
}

} // namespace weft

#endif // WEFT_PASSES_REMARKS_H
