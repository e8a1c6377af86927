// Kernels of rows: elementwise ops, gathers and reductions, scatters, tables in f64.
#ifndef WEFT_CODEGEN_CPU_ROWS_ROWS_H
#define WEFT_CODEGEN_CPU_ROWS_ROWS_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

mlir::FailureOr<KernelFunctions> emitRows(kernel::FusedOp op, RowsAttr schedule,
                                          llvm::StringRef name, Emission &emission);
mlir::FailureOr<KernelFunctions> emitScatter(kernel::FusedOp op, ScatterAttr schedule,
                                             llvm::StringRef name, Emission &emission);
mlir::FailureOr<KernelFunctions> emitTable(kernel::FusedOp op, RowsAttr schedule,
                                           llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ROWS_ROWS_H
