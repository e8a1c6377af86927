// How products are cut on a GPU.
#ifndef WEFT_IR_CUDA_PRODUCTSCHEDULES_H
#define WEFT_IR_CUDA_PRODUCTSCHEDULES_H

#include "ir/cuda/Schedules.h"

namespace weft::cuda {

/// What a cost model chooses; without `tensors` nothing that copies tiles of them, which wants
/// addresses that are multiples of tensorAlignment. A diagnostic where the kernel is no
/// contraction.
mlir::FailureOr<kernel::ScheduleAttr> contractionFor(KernelCase kernel, const Device &device,
                                                     bool tensors = true);

/// Whether a schedule of matrix instructions (MmaAttr, WgmmaAttr) multiplies what is stored as
/// bf16, in memory and registers that there are.
mlir::LogicalResult checkNarrowProducts(KernelCase kernel, kernel::ScheduleAttr schedule,
                                        const Device &device);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_PRODUCTSCHEDULES_H
