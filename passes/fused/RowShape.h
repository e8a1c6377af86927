// The loops of an op over rows, and of kernels of such ops.
#ifndef WEFT_PASSES_FUSED_ROWSHAPE_H
#define WEFT_PASSES_FUSED_ROWSHAPE_H

#include "passes/fused/Groups.h"

namespace weft {

/// Ops that a loop over rows can compute: elementwise ops, gathers, reductions, random numbers.
bool isRowOp(mlir::Operation *op);

/// What an op depends on: positions and sizes alone, single numbers alone, or more.
enum class RowKind { table, number, rows };

struct RowShape {
  /// All loops, and those that reductions go over.
  DimSet space, reduced;
  /// Whether it reduces along rows, that is the innermost dimension in memory; or down columns.
  bool rows = false, columns = false;
  RowKind kind = RowKind::rows;

  bool reducesAll() const { return !reduced.empty() && contains(reduced, space); }
};

/// Of one op, but for its kind.
RowShape shapeOf(mlir::Operation *op);

/// What the ops of one kernel depend on; `isTable` says so of ops outside of it.
RowKind kindOf(mlir::ArrayRef<mlir::Operation *> ops,
               llvm::function_ref<bool(mlir::Operation *)> isTable);

bool sameDims(const DimSet &a, const DimSet &b);

} // namespace weft

#endif // WEFT_PASSES_FUSED_ROWSHAPE_H
