// How products are cut on a GPU.
#ifndef WEFT_IR_CUDA_PRODUCTSCHEDULES_H
#define WEFT_IR_CUDA_PRODUCTSCHEDULES_H

#include "ir/cuda/Schedules.h"

namespace weft::cuda {

/// What a cost model chooses. A diagnostic where the kernel is no contraction.
mlir::FailureOr<kernel::ScheduleAttr> contractionFor(KernelCase kernel, const Device &device);
/// The same for many rows, without `tensors` of nothing that copies tiles of them; null where the
/// kernel is no contraction.
kernel::ScheduleAttr contractionOfManyFor(KernelCase kernel, const Device &device, bool tensors);

/// Whether a kernel may have such a schedule: in memory and registers that there are, of what is
/// stored as bf16, or read as tf32, if it is one of matrix instructions (MmaAttr, WgmmaAttr).
mlir::LogicalResult checkProducts(KernelCase kernel, kernel::ScheduleAttr schedule,
                                  const Device &device);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_PRODUCTSCHEDULES_H
