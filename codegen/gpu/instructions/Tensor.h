// Copies of tiles of tensors by one thread (sm_90: TMA), and the other path to memory that they and
// products of four warps take.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_TENSOR_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_TENSOR_H

#include "codegen/gpu/instructions/Mbarrier.h"
#include "codegen/gpu/instructions/Tile.h"

namespace weft::gpu {

/// An argument of the kernel that describes a tensor (Kernel.h: handsOverTensorMap).
struct TensorMapArgument {
  llvm::Value *pointer;
};

/// The box from `coordinates` (i32, of the contiguous dimension first) on, to `tile`, whose swizzle
/// the map has; what lies outside the tensor becomes zeros. `blocks`: a mask (i16) of those of the
/// cluster that get it, each at the same place; null: this one.
void loadTile(Builder &builder, const SharedTile &tile, TensorMapArgument map, Mbarrier counts,
              llvm::ArrayRef<llvm::Value *> coordinates, llvm::Value *blocks = nullptr);
/// The other way, in a group of the thread. What other threads stored to the tile before must have
/// crossed, and be ordered.
void storeTile(Builder &builder, const SharedTile &tile, TensorMapArgument map,
               llvm::ArrayRef<llvm::Value *> coordinates);
void commitStores(Builder &builder);
/// Until at most so many of the thread's last groups still read shared memory.
void waitForStores(Builder &builder, unsigned underWay);

/// What this thread stored to shared memory, or knows to be stored, is seen by copies and products.
void crossToCopies(Builder &builder);
void prefetchMap(Builder &builder, TensorMapArgument map);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_TENSOR_H
