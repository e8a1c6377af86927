// Asking for memory ahead of its use.
#ifndef WEFT_CODEGEN_CPU_TILES_PREFETCH_H
#define WEFT_CODEGEN_CPU_TILES_PREFETCH_H

#include "llvm/IR/IRBuilder.h"

namespace weft::cpu {

/// The cache that a line is to be in.
enum class Cache : int32_t { first = 3, second = 2 };
/// What for: who writes needs the line for itself.
enum class Access : int32_t { read = 0, write = 1 };

/// Asks for the cache line at `address`. Nothing need be there: an address that cannot be read is
/// no error.
inline void prefetch(llvm::IRBuilderBase &b, llvm::Value *address, Cache cache = Cache::first,
                     Access access = Access::read) {
  constexpr int32_t data = 1;
  b.CreateIntrinsic(
      llvm::Intrinsic::prefetch, {b.getPtrTy()},
      {address, b.getInt32(int32_t(access)), b.getInt32(int32_t(cache)), b.getInt32(data)});
}

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_PREFETCH_H
