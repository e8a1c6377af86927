// How queries and parts of their keys are dealt out to blocks, and where a part's results lie.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SPLIT_SPLITGRID_H
#define WEFT_CODEGEN_GPU_ATTENTION_SPLIT_SPLITGRID_H

#include "codegen/gpu/base/DeviceEmission.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::gpu {

/// Of each position of the batch some queries are a block's, and a part of the keys. A function of
/// sizes and schedule alone. Values are i64.
struct SplitGrid {
  SplitGrid(Frame frame, const AttentionForm &form, cuda::SplitAttentionAttr schedule);

  llvm::Value *rows, *rowBlocks, *keys;
  llvm::Value *parts; ///< of the keys, at least one
  llvm::Value *each;  ///< keys of a part, but the last
  llvm::Value *blocks;
  /// Floats that a query leaves of a part: what is summed, the highest score, the sum of weights.
  int64_t floats;
  llvm::Value *scratchBytes(llvm::IRBuilderBase &b, cuda::SplitAttentionAttr schedule) const;
  /// Where those of a query of a block lie, which has its part.
  llvm::Value *place(llvm::IRBuilderBase &b, llvm::Value *scratch, llvm::Value *block,
                     llvm::Value *query, cuda::SplitAttentionAttr schedule) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SPLIT_SPLITGRID_H
