// What a pass of a loop keeps for its backward pass, and what that recomputes (rematerialization).
#ifndef WEFT_PASSES_MODEL_KEEP_H
#define WEFT_PASSES_MODEL_KEEP_H

#include "ir/model/Dims.h"

#include "mlir/IR/IRMapping.h"

namespace weft {

/// What it is worth to keep a value rather than to compute it again.
struct KeepPrice {
  /// Bytes that are kept to save one operation (a product and a sum are two). Below 0: products and
  /// reductions are not computed again, whatever they cost.
  double bytesPerOperation = -1;
  bool computesAgain() const { return bytesPerOperation >= 0; }
};

/// The values of `pass` to keep so that all of `needed` can be computed from them: the set with the
/// fewest bytes (a minimum cut), and of equal ones the one nearest to `needed`. What is cheap
/// (elementwise, views, normalizations, reads of parameters) may be computed again for nothing;
/// anything else for its price. The lower that is, the less is kept: the sets are nested (Gallo,
/// Grigoriadis, Tarjan, "A fast parametric maximum flow algorithm", 1989).
llvm::SmallVector<mlir::Value> chooseKept(mlir::Block &pass, llvm::ArrayRef<mlir::Value> needed,
                                          const model::Dims &dims, KeepPrice price);

/// Operations of one run of `op`, at the nominal sizes that bytes are compared at.
double operationsOf(mlir::Operation *op, const model::Dims &dims);

/// Maps values of a forward pass to values of the backward pass that are the same: kept ones, or
/// recomputed ones.
class Recall {
public:
  explicit Recall(mlir::Block &pass) : pass(pass) {}

  void map(mlir::Value value, mlir::Value kept) { known.map(value, kept); }
  /// What `value` is mapped to; recomputed before `before` if it was not kept. Values from outside
  /// of the pass are themselves.
  mlir::Value get(mlir::Value value, mlir::Operation *before);
  /// The ops of the pass that are computed again, and are not cheap.
  llvm::SmallVector<mlir::Operation *> again;

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
