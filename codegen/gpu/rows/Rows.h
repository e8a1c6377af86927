// Kernels of rows on a device: elementwise ops, gathers and reductions, and whatever is computed as
// such; running sums, the largest, scatters.
#ifndef WEFT_CODEGEN_GPU_ROWS_ROWS_H
#define WEFT_CODEGEN_GPU_ROWS_ROWS_H

#include "codegen/emit/Elementwise.h"
#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// A region of the ops of ir/kernel/RowProgram.h, and of idioms, which are expanded to such. Wide
/// `numbers`: floats are computed in f64. Operands have strided layouts.
mlir::FailureOr<DeviceKernel> emitRows(kernel::FusedOp op, cuda::RowsAttr schedule,
                                       llvm::StringRef name, Emissions emissions, Numbers numbers,
                                       llvm::ArrayRef<unsigned> alignments);
/// The same, of sums of which each lane has its own.
mlir::FailureOr<DeviceKernel> emitColumns(kernel::FusedOp op, cuda::ColumnsAttr schedule,
                                          llvm::StringRef name, Emissions emissions,
                                          Numbers numbers, llvm::ArrayRef<unsigned> alignments);
/// One cumsum or top.
mlir::FailureOr<DeviceKernel> emitScan(kernel::FusedOp op, cuda::RowsAttr schedule,
                                       llvm::StringRef name, Emissions emissions);
/// One `model.scatter`.
mlir::FailureOr<DeviceKernel> emitScatter(kernel::FusedOp op, cuda::ScatterAttr schedule,
                                          llvm::StringRef name, Emissions emissions,
                                          llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ROWS_ROWS_H
