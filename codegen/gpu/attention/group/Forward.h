// Attention by products of four warps (sm_90a): one group of warps has tiles copied into rings of
// stages, each of two others has 64 queries, whose scores, weights and sums stay in its registers
// (Shah et al., arXiv:2407.08608).
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_FORWARD_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_FORWARD_H

#include "codegen/gpu/attention/group/KeyMask.h"
#include "codegen/gpu/attention/group/Panels.h"
#include "codegen/gpu/instructions/Group.h"

#include <string>

namespace weft::gpu {

struct GroupAttentionTiles {
  unsigned depth = 128, values = 128; ///< of a query and a key, of what is summed
  unsigned keys = 128;                ///< of a block of them
  unsigned stages = 2;                ///< of keys, and as many of values
  /// How many numbers of bf16 a weight is multiplied as: 1 rounds it to 2^-8 of it, 2 to 2^-16.
  unsigned weightParts = 2;

  static constexpr unsigned consumers = 2;   ///< groups of warps
  static constexpr unsigned queryStages = 2; ///< those of the next tile come while one is worked on
  unsigned queries() const { return groupRows * consumers; }
  /// Groups of warps multiply one after the other where that takes longer than weights do (H100,
  /// 128 columns each: 7 % faster); of 64 both are in one another's way less than turns are (6 %).
  bool takesTurns() const { return depth + values > 128; }
  unsigned threads() const { return threadsOfGroup * (1 + consumers); }
  unsigned queryBytes() const { return Panels::bytes(queries(), depth); }
  unsigned keyBytes() const { return Panels::bytes(keys, depth); }
  unsigned valueBytes() const { return Panels::bytes(keys, values); }
  unsigned barrierBytes() const {
    return 2 * MbarrierRing::bytes(stages) + MbarrierRing::bytes(queryStages);
  }
  unsigned sharedBytes() const {
    return queryStages * queryBytes() + stages * (keyBytes() + valueBytes()) + barrierBytes();
  }
  /// Why there is no such kernel, or "".
  std::string problem() const;
};

struct GroupAttentionInputs {
  TileSource queries, keys, values; ///< boxes as high as there are queries and keys in a tile
  AttentionCounts counts;
  KeyMask mask;        ///< without `judge`: all see all
  llvm::Value *query0; ///< of the tile (i32)
};

/// Queries (i32) may lie beyond the last one.
struct GroupAttentionResults {
  /// Takes two results of `query` that stand side by side, from `column` on.
  std::function<void(llvm::Value *query, llvm::Value *column, llvm::Value *first,
                     llvm::Value *second)>
      output;
  /// Takes what the backward pass knows a row's weights from; by one lane for each row.
  std::function<void(llvm::Value *query, llvm::Value *value)> logsumexp;
};

/// Tiles of queries, one after the other, each by its number (i32) from 0 on; all roles ask alike.
struct GroupAttentionWork {
  double scale;                                             ///< of scores, above 0
  std::function<llvm::Value *(llvm::Value *number)> exists; ///< i1
  using Body =
      llvm::function_ref<void(const GroupAttentionInputs &, const GroupAttentionResults &)>;
  /// Calls `body` once, for what one of them is made of.
  std::function<void(llvm::Value *number, Body body)> tile;
};

/// By one block. A row that sees no key gives 0, and -inf as its logsumexp.
void emitGroupAttention(Builder &builder, const GroupAttentionTiles &tiles,
                        const GroupAttentionWork &work, llvm::Value *shared);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_FORWARD_H
