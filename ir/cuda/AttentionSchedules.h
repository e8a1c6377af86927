// How attention is cut on a GPU, by matrix instructions.
#ifndef WEFT_IR_CUDA_ATTENTIONSCHEDULES_H
#define WEFT_IR_CUDA_ATTENTIONSCHEDULES_H

#include "ir/cuda/TensorSide.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::cuda {

/// Whether queries, keys and values are stored as bf16, with a depth and values that are known and
/// fit a tile.
bool attendsNarrow(KernelCase kernel);

/// Queries, keys and values as tensors of which tiles are copied.
struct AttentionTensors {
  /// The form's rows, of which tiles have the first ones; the others count as more of its batch, so
  /// that a tile's rows lie as one dimension.
  kernel::DimList rows, apart;
  TensorSide queries, keys, values;

  /// The form's batch, then `apart`.
  kernel::DimList batch(const kernel::AttentionForm &form) const;
};
/// Nothing, and why, where they are no such tensors.
std::optional<AttentionTensors>
attentionTensorsOf(KernelCase kernel, const kernel::AttentionForm &form, std::string &why);

/// By matrix instructions, where all that is multiplied is stored as bf16: of four warps, where
/// there are `tensors` and the device has these instructions, else of one.
kernel::ScheduleAttr narrowAttentionFor(KernelCase kernel, const Device &device,
                                        bool tensors = true);

/// A diagnostic where a schedule of an attention by four warps is not legal.
mlir::LogicalResult checkGroupAttention(KernelCase kernel, WgmmaAttentionAttr schedule,
                                        const Device &device);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ATTENTIONSCHEDULES_H
