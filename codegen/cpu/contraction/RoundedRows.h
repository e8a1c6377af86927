// Kernels that write rows of whole numbers.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_ROUNDEDROWS_H
#define WEFT_CODEGEN_CPU_CONTRACTION_ROUNDEDROWS_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

/// Copies floats of any strides to rows of whole numbers that share scales (GroupedRow.h), which
/// `op` has verified that its result can lie in. A diagnostic where rows are not whole groups.
mlir::FailureOr<KernelFunctions> emitRoundedRows(kernel::FusedOp op, PackAttr schedule,
                                                 llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_ROUNDEDROWS_H
