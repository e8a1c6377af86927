// A contraction kernel whose operands have layouts: what it computes, its dimensions in the order
// of its panels.
#ifndef WEFT_IR_CPU_PLACEDCONTRACTION_H
#define WEFT_IR_CPU_PLACEDCONTRACTION_H

#include "ir/kernel/ContractionForm.h"

namespace weft::cpu {

/// Reads the region of a contraction kernel; a diagnostic on `op` where it is none, or where the
/// layouts do not say what it needs.
mlir::FailureOr<kernel::ContractionForm> readPlaced(kernel::FusedOp op);

/// Register tiles along the rows of a task that packs its right side: it is not cut into tasks of
/// fewer, in which packing would take more than about a tenth of the time.
inline constexpr int64_t tilesThatPack = 8;

/// The number of the kernel's operand that is a side of a product.
unsigned operandNumber(mlir::Value side);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_PLACEDCONTRACTION_H
