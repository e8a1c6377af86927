// The mask of an attention, at a query and a key, and of a whole block; and what is made there of
// products and weights: cap, bias and dropout.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SCOREMASK_H
#define WEFT_CODEGEN_GPU_ATTENTION_SCOREMASK_H

#include "codegen/emit/Loops.h"
#include "codegen/emit/MaskBounds.h"
#include "codegen/rows/RowNest.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::gpu {

using namespace weft::kernel;
using namespace weft::emit;

/// What it says is known only inside `scope`; whoever asks in two places has two of them.
class ScoreMask {
public:
  ScoreMask(Frame frame, kernel::FusedOp op, const AttentionForm &form);

  void scope(llvm::function_ref<void()> body);
  /// Of a block of at least one query and one key.
  MaskBounds::Verdict judge(const TaskRange &block) const;
  /// i1, at a query and a key; beyond the last ones, at these. True where there is no mask.
  llvm::Value *keeps(llvm::Value *batch, llvm::Value *row, llvm::Value *key);
  struct Score {
    llvm::Value *value;
    llvm::Value *slope; ///< of the score by the product; null where it is 1
  };
  /// Of a scaled product.
  Score score(llvm::Value *batch, llvm::Value *row, llvm::Value *key, llvm::Value *product);
  /// `where(keep, x * keep_factor, 0)` of a weight, or of its gradient.
  Values dropped(llvm::Value *batch, llvm::Value *row, llvm::Value *key,
                 llvm::ArrayRef<llvm::Value *> of);

private:
  rows::RowFrame at(llvm::Value *batch, llvm::Value *row, llvm::Value *key);

  Frame frame;
  const AttentionForm &form;
  RowProgram program;
  rows::OrderedKernel kernel;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SCOREMASK_H
