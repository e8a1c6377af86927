// Which keys the queries of a tile see: of whole blocks, so that empty ones are skipped, and of
// each.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_KEYMASK_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_KEYMASK_H

#include "codegen/gpu/instructions/Kernel.h"

#include <functional>

namespace weft::gpu {

/// i32 each. What a kernel asks is the same for all of its threads; queries and keys may lie beyond
/// the last ones, of which nothing need be right.
struct KeyMask {
  struct Verdict {
    llvm::Value *never, *always; ///< i1: in the whole block
  };
  struct Block {
    llvm::Value *query;
    unsigned queries;
    llvm::Value *key;
    unsigned keys;
  };
  std::function<Verdict(const Block &block)> judge;
  std::function<llvm::Value *(llvm::Value *query, llvm::Value *key)> keeps; ///< i1
};

/// How many of them there are, i32 each.
struct AttentionCounts {
  llvm::Value *queries, *keys;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_KEYMASK_H
