// Erasing what nothing uses, so that a value's uses are the ones that count.
#ifndef WEFT_PASSES_MODEL_DEADOPS_H
#define WEFT_PASSES_MODEL_DEADOPS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace weft {

/// Erases every op inside `op` whose results nothing uses and which does nothing else.
inline void eraseDead(mlir::Operation *op) {
  mlir::IRRewriter rewriter(op->getContext());
  // Fails when there was nothing to erase.
  (void)mlir::runRegionDCE(rewriter, op->getRegions());
}

} // namespace weft

#endif // WEFT_PASSES_MODEL_DEADOPS_H
