// How attention and its gradient are cut on a GPU.
#ifndef WEFT_IR_CUDA_ATTENTIONSCHEDULES_H
#define WEFT_IR_CUDA_ATTENTIONSCHEDULES_H

#include "ir/cuda/Schedules.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::cuda {

/// What a cost model chooses; null where the kernel is computed as rows, or is no attention.
kernel::ScheduleAttr attentionFor(KernelCase kernel, const Device &device);
/// For many queries; without `tensors` nothing that copies tiles of them.
kernel::ScheduleAttr attentionOfManyFor(KernelCase kernel, const Device &device,
                                        bool tensors = true);
/// Queries that share keys, as far as they are known to: they are read together.
int64_t queriesTogether(KernelCase kernel, const kernel::AttentionForm &form);
/// For few; null where there is none.
SplitAttentionAttr splitAttentionFor(KernelCase kernel, const kernel::AttentionForm &form,
                                     const Device &device);

/// Whether a schedule of attention's families is legal: sizes are known, what a block shares fits,
/// blocks alone add to a gradient, and what matrix instructions multiply is stored as bf16.
mlir::LogicalResult checkAttention(KernelCase kernel, kernel::ScheduleAttr schedule,
                                   const Device &device);
/// The same of one whose keys are cut into parts.
mlir::LogicalResult checkSplitAttention(KernelCase kernel, SplitAttentionAttr schedule);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ATTENTIONSCHEDULES_H
