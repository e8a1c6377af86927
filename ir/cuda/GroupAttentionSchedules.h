// How attention is cut on a GPU, by products of four warps.
#ifndef WEFT_IR_CUDA_GROUPATTENTIONSCHEDULES_H
#define WEFT_IR_CUDA_GROUPATTENTIONSCHEDULES_H

#include "ir/cuda/TensorSide.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::cuda {

/// The form's rows, of which tiles have the first ones; the others count as more of its batch, so
/// that a tile's rows lie as one dimension.
struct SplitRows {
  kernel::DimList rows, apart;

  /// The form's batch, then `apart`.
  kernel::DimList batch(const kernel::AttentionForm &form) const;
};
/// Nothing where queries are packed.
std::optional<SplitRows> splitRows(KernelCase kernel, const kernel::AttentionForm &form);

/// Queries, keys and values as tensors of which tiles are copied.
struct AttentionTensors : SplitRows {
  TensorSide queries, keys, values;
};
/// Nothing, and why, where they are no such tensors.
std::optional<AttentionTensors>
attentionTensorsOf(KernelCase kernel, const kernel::AttentionForm &form, std::string &why);

/// Of an attention or its gradient: whether these buffers are stored as bf16, and depth and values
/// are known and fit a tile.
bool fitsGroupTiles(KernelCase kernel, const kernel::AttentionForm &form,
                    llvm::ArrayRef<unsigned> buffers);
/// Whether there is enough in such tiles to be faster than smaller ones are.
bool fillsGroupTiles(KernelCase kernel, const kernel::AttentionForm &form, const SplitRows &split);

/// What a cost model chooses; null where others are faster, or it cannot be.
WgmmaAttentionAttr groupAttentionFor(KernelCase kernel, const Device &device);

/// Why a schedule cannot be one of this attention, or "".
std::string groupAttentionProblem(KernelCase kernel, WgmmaAttentionAttr schedule,
                                  const Device &device);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_GROUPATTENTIONSCHEDULES_H
