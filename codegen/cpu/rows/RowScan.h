// Kernels of one cumsum (a running sum) or top (the positions of the k largest).
#ifndef WEFT_CODEGEN_CPU_ROWS_ROWSCAN_H
#define WEFT_CODEGEN_CPU_ROWS_ROWSCAN_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

/// The functions of such a kernel.
mlir::FailureOr<KernelFunctions> emitScan(kernel::FusedOp op, RowsAttr schedule,
                                          llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ROWS_ROWSCAN_H
