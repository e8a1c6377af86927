// What a pass of a loop keeps for its backward pass, and what that recomputes (rematerialization).
#ifndef WEFT_PASSES_MODEL_KEEP_H
#define WEFT_PASSES_MODEL_KEEP_H

#include "ir/model/Dims.h"

#include "mlir/IR/IRMapping.h"

namespace weft {

/// The values of `pass` to keep so that all of `needed` can be computed from them by cheap ops
/// (elementwise, views, normalizations, reads of parameters): the set with the fewest bytes (a
/// minimum cut), and of equal ones the one nearest to `needed`.
llvm::SmallVector<mlir::Value> chooseKept(mlir::Block &pass, llvm::ArrayRef<mlir::Value> needed,
                                          const model::Dims &dims);

/// Maps values of a forward pass to values of the backward pass that are the same: kept ones, or
/// recomputed ones.
class Recall {
public:
  explicit Recall(mlir::Block &pass) : pass(pass) {}

  void map(mlir::Value value, mlir::Value kept) { known.map(value, kept); }
  /// What `value` is mapped to; recomputed before `before` if it was not kept. Values from outside
  /// of the pass are themselves.
  mlir::Value get(mlir::Value value, mlir::Operation *before);

private:
  mlir::Block &pass;
  mlir::IRMapping known;
};

/// Whether `value` belongs to `pass`: one of its arguments, or the result of an op directly in it.
inline bool isOf(mlir::Value value, mlir::Block &pass) {
  return value.getParentBlock() == &pass;
}

} // namespace weft

#endif // WEFT_PASSES_MODEL_KEEP_H
