// Addresses in tiles whose rows are mixed.
#include "codegen/gpu/instructions/Tile.h"

#include <algorithm>

using namespace llvm;

namespace weft::gpu {

SharedTile SharedTile::mixed(Value *base, unsigned rows, unsigned rowBytes) {
  unsigned over = std::min(rowBytes, unsigned(Swizzle::bytes128));
  return {base, rows, rowBytes, Swizzle(over)};
}

Value *SharedTile::chunk(Builder &builder, Value *row, Value *chunk) const {
  unsigned chunks = unsigned(swizzle) / chunkBytes;
  Value *by = row;
  // Rows of less than 128 bytes lie several side by side under the same banks.
  if (chunks < unsigned(Swizzle::bytes128) / chunkBytes)
    by = builder.CreateLShr(row, Log2_32(unsigned(Swizzle::bytes128) / unsigned(swizzle)));
  Value *mixed = builder.CreateXor(chunk, builder.CreateAnd(by, chunks - 1));
  Value *bytes = builder.CreateAdd(builder.CreateMul(row, builder.getInt32(rowBytes)),
                                   builder.CreateShl(mixed, Log2_32(chunkBytes)));
  return offset(builder, base, bytes);
}

} // namespace weft::gpu
