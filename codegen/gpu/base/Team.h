// Threads of a block that work on one row: each runs through some of its lanes.
#ifndef WEFT_CODEGEN_GPU_BASE_TEAM_H
#define WEFT_CODEGEN_GPU_BASE_TEAM_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// A block of `threads` is cut into teams of `size`: all of them, or at most a warp. Values are i64
/// where nothing else is said.
class Team {
public:
  Team(llvm::IRBuilderBase &builder, unsigned threads, unsigned size);
  /// All threads but the first `first` ones of a block, which have a barrier of their own.
  static Team behind(llvm::IRBuilderBase &builder, unsigned first, unsigned threads,
                     unsigned barrier);

  unsigned size() const { return width; }
  unsigned teams() const { return threads / width; }
  /// Which thread of the team this is, and which team of the block.
  llvm::Value *lane() const { return place; }
  llvm::Value *number() const { return which; }
  llvm::Value *block() const { return blockNumber; }
  llvm::Value *blocks() const { return blockCount; }
  llvm::Value *isFirst() const { return first; } ///< i1: thread 0 of the team

  /// What the threads have written is there for all of the team. None goes on before.
  void barrier();
  using Several = llvm::SmallVector<llvm::Value *, 2>;
  using Combine = llvm::function_ref<Several(Several, Several)>;
  /// The values of all threads as one, in a fixed order; each thread gets the same. A warp at
  /// least.
  Several fold(Several values, Combine combine);
  /// The values of all threads of the block that have the same place in their team, of at most a
  /// warp; each gets the same.
  Several foldAlike(Several values, Combine combine);
  /// The same over each `width` threads that stand side by side, a power of two of at most 32.
  Several foldNeighbours(Several values, unsigned width, Combine combine);
  /// Among the threads of the block that say `yes`, an i1: how many of them come before this one,
  /// and how many there are. For teams of all threads; a barrier() is due before it is asked again.
  struct Rank {
    llvm::Value *before, *all; // i32
  };
  Rank rank(llvm::Value *yes);
  /// Whether any thread of the block says `yes`, an i1. It waits for all of them.
  llvm::Value *any(llvm::Value *yes);
  /// Memory that the block shares, at a multiple of 16 bytes.
  llvm::Value *cells(llvm::Type *type, unsigned count);

private:
  Several shuffled(const Several &values, llvm::Intrinsic::ID how, unsigned by);
  llvm::Value *shuffle(llvm::Value *value, llvm::Intrinsic::ID how, unsigned by);

  llvm::IRBuilderBase &builder;
  unsigned threads, width, ownBarrier = 0;
  llvm::Value *thread, *place, *which, *blockNumber, *blockCount, *first;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_BASE_TEAM_H
