// A kernel's function, and where its threads stand.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_KERNEL_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_KERNEL_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace weft::gpu {

using Builder = llvm::IRBuilderBase;

constexpr unsigned globalSpace = 1, sharedSpace = 3, clusterSpace = 7;
constexpr unsigned lanesOfWarp = 32, warpsOfGroup = 4, threadsOfGroup = 128;

struct KernelShape {
  unsigned threads = 0; ///< of a block
  unsigned cluster = 1; ///< blocks that run together, side by side along the first axis
};

/// An empty kernel, with `builder` at its beginning.
llvm::Function *createKernel(llvm::Module &module, llvm::StringRef name,
                             llvm::ArrayRef<llvm::Type *> arguments, const KernelShape &shape,
                             Builder &builder);
/// Argument `number` is handed over by value, as the description of a tensor is: 128 bytes.
void handsOverTensorMap(llvm::Function &kernel, unsigned number);

/// Shared memory of as many bytes as the launch says, from a multiple of 1024 on.
llvm::Value *dynamicShared(Builder &builder);
llvm::Value *offset(Builder &builder, llvm::Value *pointer, llvm::Value *bytes);
llvm::Value *offset(Builder &builder, llvm::Value *pointer, uint64_t bytes);

/// All are i32.
llvm::Value *threadOf(Builder &builder);
llvm::Value *laneOf(Builder &builder);
/// The number of the warp, which LLVM and ptxas can see to be the same for all its lanes.
llvm::Value *warpOf(Builder &builder);
llvm::Value *blockOf(Builder &builder, unsigned axis);
llvm::Value *blocksOf(Builder &builder, unsigned axis);

/// All threads of the block.
void barrier(Builder &builder);
/// Barrier `id` for `threads` of the block: those that come, and those that only say they have.
void barrier(Builder &builder, llvm::Value *id, unsigned threads);
void arriveAtBarrier(Builder &builder, llvm::Value *id, unsigned threads);
void warpBarrier(Builder &builder, uint32_t mask = ~0u);
/// Whether this lane is the one of its warp that does something for all.
llvm::Value *elected(Builder &builder);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_KERNEL_H
