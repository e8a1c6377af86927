// A contraction kernel whose operands have their places: what it computes, in the order in which
// its panels lie.
#ifndef WEFT_IR_CPU_PLACEDCONTRACTION_H
#define WEFT_IR_CPU_PLACEDCONTRACTION_H

#include "ir/kernel/ContractionForm.h"

namespace weft::cpu {

/// Reads the region of a contraction kernel; a diagnostic on `op` where it is none, or where the
/// layouts do not say what it needs.
mlir::FailureOr<kernel::ContractionForm> readPlaced(kernel::FusedOp op);

/// Which of the kernel's operands a side of a product is.
unsigned operandNumber(mlir::Value side);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_PLACEDCONTRACTION_H
