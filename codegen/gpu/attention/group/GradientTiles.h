// How a block of the gradient of attention by products of four warps lies in shared memory.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_GRADIENTTILES_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_GRADIENTTILES_H

#include "codegen/gpu/attention/GradientGrid.h"
#include "codegen/gpu/attention/group/Panels.h"
#include "codegen/gpu/instructions/Group.h"

namespace weft::gpu {

/// A block owns 128 queries or keys, 64 for each group that multiplies, and goes through tiles of
/// the others: first lies what it owns, then stages of the others, then what is known of queries,
/// then barriers.
struct GroupGradientTiles {
  unsigned depth = 128, values = 128; ///< of a query and a key, of what is summed
  unsigned columns = 64;              ///< of a tile of scores: of the others
  unsigned stages = 2;
  /// How many numbers of bf16 a weight, or the gradient of a score, is multiplied as.
  unsigned parts = 2;

  static constexpr unsigned consumers = 2; ///< groups of warps
  static constexpr unsigned watchers = 2;  ///< warps that find what is known of queries
  static constexpr unsigned lists = 3;     ///< numbers of a query: RowConstants
  unsigned rows() const { return groupRows * consumers; }
  unsigned threads() const { return threadsOfGroup * (1 + consumers); }
  unsigned queries(Owner owner) const { return owner == Owner::queries ? rows() : columns; }

  unsigned ownBytes() const { return consumers * groupBytes(); }
  /// Of what one group owns.
  unsigned groupBytes() const { return bytes(groupRows); }
  unsigned stageBytes() const { return bytes(columns); }
  unsigned constantBytes() const {
    return lists * std::max(rows(), stages * columns) * unsigned(sizeof(float));
  }
  unsigned flagBytes() const { return stages * watchers * unsigned(sizeof(float)); }
  unsigned constantsAt() const { return ownBytes() + stages * stageBytes(); }
  unsigned flagsAt() const { return constantsAt() + constantBytes(); }
  unsigned barriersAt() const { return flagsAt() + flagBytes(); }
  unsigned sharedBytes() const {
    return barriersAt() + MbarrierRing::bytes(stages) + (1 + stages) * mbarrierBytes;
  }

private:
  unsigned bytes(unsigned rows) const {
    return Panels::bytes(rows, depth) + Panels::bytes(rows, values);
  }
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_GRADIENTTILES_H
