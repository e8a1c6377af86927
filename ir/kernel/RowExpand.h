// Idioms as the primitive ops that a rows kernel computes.
#ifndef WEFT_IR_KERNEL_ROWEXPAND_H
#define WEFT_IR_KERNEL_ROWEXPAND_H

#include "ir/kernel/RowProgram.h"

#include "mlir/IR/OwningOpRef.h"

namespace weft::kernel {

/// A copy of a kernel, outside any block, in which softmax, logsumexp, normalize, attention, their
/// gradients and contract are expanded to simpler ops, and its program.
struct ExpandedRows {
  mlir::OwningOpRef<FusedOp> op;
  RowProgram program;
};
/// Fails as analyseRows does.
mlir::FailureOr<ExpandedRows> expandRows(FusedOp op, const DimTable &table,
                                         bool lanesMayBeOuter = true);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_ROWEXPAND_H
