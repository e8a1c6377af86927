// A matrix in shared memory, whose rows are mixed so that no access of a warp meets a bank twice.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_TILE_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_TILE_H

#include "codegen/gpu/instructions/Kernel.h"

namespace weft::gpu {

/// What is multiplied; sums are floats.
enum class Element { bfloat16, float16, tf32 };
constexpr unsigned bytesOf(Element element) {
  return element == Element::tf32 ? 4 : 2;
}

/// Over how many bytes pieces of 16 bytes are exchanged by the number of their row, as tensor maps
/// and descriptors of matrices have it.
enum class Swizzle : unsigned { none = 16, bytes32 = 32, bytes64 = 64, bytes128 = 128 };
constexpr unsigned chunkBytes = 16;

struct SharedTile {
  llvm::Value *base; ///< from a multiple of 1024 bytes on
  unsigned rows, rowBytes;
  Swizzle swizzle;

  /// Mixed over as much of a row as there is.
  static SharedTile mixed(llvm::Value *base, unsigned rows, unsigned rowBytes);
  unsigned bytes() const { return rows * rowBytes; }
  unsigned chunksOfRow() const { return rowBytes / chunkBytes; }
  /// Where 16 bytes of a row lie.
  llvm::Value *chunk(Builder &builder, llvm::Value *row, llvm::Value *chunk) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_TILE_H
