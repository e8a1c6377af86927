// How the gradient of an attention is cut on a GPU, by products of four warps.
#ifndef WEFT_IR_CUDA_GROUPGRADIENTSCHEDULES_H
#define WEFT_IR_CUDA_GROUPGRADIENTSCHEDULES_H

#include "ir/cuda/GroupAttentionSchedules.h"

namespace weft::cuda {

/// What the gradient reads, as tensors of which tiles are copied: across are queries or keys, and
/// along the depth the columns of a tile.
struct GradientTensors : SplitRows {
  TensorSide queries, keys, values, gradient, output;
};
/// Nothing, and why, where they are no such tensors.
std::optional<GradientTensors>
gradientTensorsOf(KernelCase kernel, const kernel::AttentionForm &form, std::string &why);

/// What a cost model chooses; null where others are faster, or it cannot be.
WgmmaAttentionGradAttr groupGradientFor(KernelCase kernel, const Device &device);

/// Why a schedule cannot be one of this gradient, or "".
std::string groupGradientProblem(KernelCase kernel, WgmmaAttentionGradAttr schedule,
                                 const Device &device);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_GROUPGRADIENTSCHEDULES_H
