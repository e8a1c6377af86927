// How kernels are cut on a GPU: what a cost model chooses, and what may be chosen.
#ifndef WEFT_IR_CUDA_SCHEDULES_H
#define WEFT_IR_CUDA_SCHEDULES_H

#include "ir/cuda/Cuda.h"
#include "ir/kernel/DimTable.h"

namespace weft::cuda {

/// Threads of a block where nothing asks for more or fewer.
constexpr int64_t usualThreads = 256;

/// A kind of GPU that programs carry an image for, and what one is like that runs it.
struct Device {
  llvm::StringRef name;    ///< "sm_80", as LLVM and ptxas call it
  unsigned capability;     ///< 80
  bool exact;              ///< whether its image runs on no other capability
  int64_t multiprocessors; ///< that should all have work
  int64_t mostShared;      ///< bytes that a block may ask for, on every device that runs the image
};
llvm::ArrayRef<Device> devices();

/// A kernel with layouts, and the dimensions of its program.
struct KernelCase {
  kernel::FusedOp op;
  const kernel::DimTable &dims;
};

/// Whether rows that nobody knows are likely to be few: a step of a decoding has one of each text.
bool decodes(kernel::FusedOp op);

/// What the kernel says for the device, else what a cost model chooses. A diagnostic on the kernel
/// where its schedule is not legal, or its region not of its family.
mlir::FailureOr<kernel::ScheduleAttr> scheduleOf(KernelCase kernel, const Device &device);

/// For a kernel some of whose buffers do not lie at multiples of tensorAlignment in all launches,
/// in place of `given`, which copies tiles of tensors, if that is what the cost model chose without
/// knowing so; else a diagnostic.
mlir::FailureOr<kernel::ScheduleAttr> withoutTensors(KernelCase kernel, kernel::ScheduleAttr given,
                                                     const Device &device);

/// How rows, columns and scatters are cut (RowSchedules.cpp): what a cost model chooses for what is
/// computed as rows, and for a scatter, and whether such a schedule is legal.
constexpr int64_t blocksEach = 8; ///< that a multiprocessor holds of usualThreads
mlir::FailureOr<kernel::ScheduleAttr> rowsFor(KernelCase kernel, const Device &device);
mlir::FailureOr<kernel::ScheduleAttr> scatterFor(KernelCase kernel, const Device &device);
mlir::LogicalResult checkRows(KernelCase kernel, kernel::ScheduleAttr schedule);

/// What the numbers of any schedule are checked for when it is read (Cuda.cpp): each, by name, is 1
/// or more; threads are whole warps, and no more than a block may have.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
mlir::LogicalResult positive(EmitError emitError,
                             std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers);
mlir::LogicalResult checkThreads(EmitError emitError, int64_t threads);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_SCHEDULES_H
