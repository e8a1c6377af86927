// How rows, columns and scatters are cut on a GPU.
#ifndef WEFT_IR_CUDA_ROWSCHEDULES_H
#define WEFT_IR_CUDA_ROWSCHEDULES_H

#include "ir/cuda/Schedules.h"

namespace weft::cuda {

/// Blocks that a multiprocessor holds of 2048 threads.
constexpr int64_t blocksEach = 8;

/// What a cost model chooses for a kernel of rows, or for one that is computed as such.
mlir::FailureOr<kernel::ScheduleAttr> rowsFor(KernelCase kernel, const Device &device);

/// The same for a scatter.
mlir::FailureOr<kernel::ScheduleAttr> scatterFor(KernelCase kernel, const Device &device);

/// Whether a schedule of rows, columns or a scatter is legal.
mlir::LogicalResult checkRows(KernelCase kernel, kernel::ScheduleAttr schedule);

/// What the numbers of any schedule are checked for when it is read (Cuda.cpp): each, by name, is 1
/// or more; threads are whole warps, and no more than a block may have.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
mlir::LogicalResult positive(EmitError emitError,
                             std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers);
mlir::LogicalResult checkThreads(EmitError emitError, int64_t threads);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ROWSCHEDULES_H
