// What a pass of a loop leaves for its backward pass, and what that computes again.
#ifndef WEFT_PASSES_MODEL_KEEP_H
#define WEFT_PASSES_MODEL_KEEP_H

#include "ir/model/Dims.h"

#include "mlir/IR/IRMapping.h"

namespace weft {

/// The values of `pass` to keep so that all of `needed` can be had from them by cheap ops
/// (elementwise, views, normalizations, reads of parameters): those with the fewest bytes, and of
/// equal ones the latest.
llvm::SmallVector<mlir::Value> chooseKept(mlir::Block &pass, llvm::ArrayRef<mlir::Value> needed,
                                          const model::Dims &dims);

/// Gives values of a forward pass a stand-in elsewhere.
class Recall {
public:
  explicit Recall(mlir::Block &pass) : pass(pass) {}

  void stand(mlir::Value value, mlir::Value in) { known.map(value, in); }
  /// The stand-in of `value`, computed again before `before` if it was not kept. Values from
  /// outside stay themselves.
  mlir::Value get(mlir::Value value, mlir::Operation *before);
  /// Every op that was computed again.
  llvm::ArrayRef<mlir::Operation *> again() const { return clones; }

private:
  mlir::Block &pass;
  mlir::IRMapping known;
  llvm::SmallVector<mlir::Operation *> clones;
};

/// Whether `value` belongs to `pass`: one of its arguments, or the result of an op directly in it.
inline bool isOf(mlir::Value value, mlir::Block &pass) {
  return value.getParentBlock() == &pass;
}

} // namespace weft

#endif // WEFT_PASSES_MODEL_KEEP_H
