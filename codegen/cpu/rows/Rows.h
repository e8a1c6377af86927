// Kernels of rows: elementwise ops, gathers and reductions, scatters, tables in f64.
#ifndef WEFT_CODEGEN_CPU_ROWS_ROWS_H
#define WEFT_CODEGEN_CPU_ROWS_ROWS_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

/// A region of elementwise ops, movement, gathers and reductions (ir/kernel/RowProgram.h), or of
/// one cumsum or top. Operands have strided layouts.
mlir::FailureOr<KernelFunctions> emitRows(kernel::FusedOp op, RowsAttr schedule,
                                          llvm::StringRef name, Emission &emission);
/// One `model.scatter`: result[…][index[i]] += input[i][…]. Fails with a diagnostic on any other
/// op.
mlir::FailureOr<KernelFunctions> emitScatter(kernel::FusedOp op, ScatterAttr schedule,
                                             llvm::StringRef name, Emission &emission);
/// As emitRows, with floats computed in f64 (tables of sines, say), without vectors.
mlir::FailureOr<KernelFunctions> emitTable(kernel::FusedOp op, RowsAttr schedule,
                                           llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ROWS_ROWS_H
