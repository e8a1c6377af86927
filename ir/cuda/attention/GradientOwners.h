// Which kinds of blocks a gradient of attention has, by fused multiply-adds or by `mma.sync`: each
// owns a part of some results, and adds up all of it, in registers.
#ifndef WEFT_IR_CUDA_ATTENTION_GRADIENTOWNERS_H
#define WEFT_IR_CUDA_ATTENTION_GRADIENTOWNERS_H

#include "ir/kernel/AttentionForm.h"

namespace weft::cuda {

/// Blocks of one kind. A tile of scores is [own][other], of which one are queries, the other keys.
struct GradientOwner {
  bool ofQueries; ///< whether these are its own
  /// Of its results alone. `batch` is `shared`, positions of which a block has one, then `summed`,
  /// all of which it goes through.
  kernel::AttentionForm form;
  /// Whether a block has some of its own, or goes through all; and whether it has some of the
  /// others, or goes through all. Of the gradient of a bias they may be any.
  bool ownsRows = true, ownsColumns = false;

  bool ofBias() const { return !form.dbias.empty(); }
  const model::DimList &own() const { return ofQueries ? form.rows : form.keys; }
  const model::DimList &others() const { return ofQueries ? form.keys : form.rows; }
};

/// Of queries, of keys (gradients of keys and values in one, if they are summed over the same), of
/// the bias; those that have results.
std::vector<GradientOwner> gradientOwners(kernel::FusedOp op, const kernel::AttentionForm &form,
                                          const kernel::DimTable &dims);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ATTENTION_GRADIENTOWNERS_H
