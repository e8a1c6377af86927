// Erasing what nothing uses, so that a value's uses are the ones that count.
#ifndef WEFT_PASSES_MODEL_DEADOPS_H
#define WEFT_PASSES_MODEL_DEADOPS_H

#include "mlir/IR/Iterators.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace weft {

/// Erases every op inside `op` whose results nothing uses and which does nothing else.
inline void eraseDead(mlir::Operation *op) {
  // From the end: what uses a value stands behind it, or inside what stands behind it.
  op->walk<mlir::WalkOrder::PostOrder, mlir::ReverseIterator>([&](mlir::Operation *inner) {
    if (inner != op && mlir::isOpTriviallyDead(inner))
      inner->erase();
  });
}

} // namespace weft

#endif // WEFT_PASSES_MODEL_DEADOPS_H
