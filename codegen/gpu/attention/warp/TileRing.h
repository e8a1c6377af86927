// A ring of stages in shared memory, through which a block gets the tiles of what it goes through;
// tiles that the mask empties are never brought.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_WARP_TILERING_H
#define WEFT_CODEGEN_GPU_ATTENTION_WARP_TILERING_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Kernel.h"

namespace weft::gpu {

struct TileRing {
  Builder &builder;
  llvm::Value *shared; ///< of all stages
  unsigned stages, stageBytes;
  llvm::Value *count; ///< of positions (i64)
  unsigned step;      ///< of them in a tile

  /// i1: whether the tile from a position (i64) on, which there is, has no score.
  using IsEmpty = llvm::function_ref<llvm::Value *(llvm::Value *first)>;
  /// Brings, or asks for, a tile.
  using Fill = llvm::function_ref<void(llvm::Value *stage, llvm::Value *first)>;
  using Body = llvm::function_ref<emit::Values(llvm::Value *stage, llvm::Value *first,
                                               llvm::ArrayRef<llvm::Value *> carried)>;
  /// `body` for each tile that is not empty, in order; what it carries at the end. What was copied
  /// before is there for `body` too. Each pass begins behind a barrier.
  emit::Values through(llvm::ArrayRef<llvm::Value *> initial, IsEmpty isEmpty, Fill fill,
                       Body body) const;

private:
  llvm::Value *exists(llvm::Value *first) const { return builder.CreateICmpSLT(first, count); }
  llvm::Value *following(llvm::Value *first) const;
  /// The first tile from `from` on that is not empty, else something that does not exist.
  llvm::Value *next(llvm::Value *from, IsEmpty isEmpty) const;
  llvm::Value *stage(llvm::Value *slot) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_WARP_TILERING_H
