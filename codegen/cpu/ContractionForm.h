// A contraction kernel whose operands have their places: what it computes, in the order in which
// its panels lie.
#ifndef WEFT_CODEGEN_CPU_CONTRACTIONFORM_H
#define WEFT_CODEGEN_CPU_CONTRACTIONFORM_H

#include "ir/kernel/ContractionForm.h"

namespace weft::cpu {

using kernel::ContractionForm, kernel::Segment, kernel::Sum, kernel::Term;

/// Reads the region of a contraction kernel; a diagnostic on `op` where it is none, or where the
/// layouts do not say what it needs.
mlir::FailureOr<ContractionForm> readPlaced(kernel::FusedOp op);

/// Which of the kernel's operands a side of a product is.
unsigned operandNumber(mlir::Value side);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTIONFORM_H
