// Products of small matrices by a warp (sm_80 and later): ldmatrix, mma.sync, stmatrix.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_MMA_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_MMA_H

#include "codegen/gpu/instructions/Tile.h"

#include <array>

namespace weft::gpu {

/// How one product is shaped: 16 rows, 8 columns, as deep as 32 bytes are.
constexpr unsigned mmaRows = 16, mmaColumns = 8, mmaDepthBytes = 32;
constexpr unsigned mmaDepth(Element element) {
  return mmaDepthBytes / bytesOf(element);
}

/// A lane's piece of 16 rows of the left side, of 8 columns of the right one, of their sums.
struct LeftFragment {
  std::array<llvm::Value *, 4> registers;
};
struct RightFragment {
  std::array<llvm::Value *, 2> registers;
};
struct Sums {
  std::array<llvm::Value *, 4> values;
  static Sums zero(Builder &builder);
  /// Where in the 16 by 8 the pair of sums 2 * `half` and 2 * `half` + 1 of this lane stands.
  static llvm::Value *rowOf(Builder &builder, unsigned half);
  static llvm::Value *columnOf(Builder &builder);
};

/// 16 rows from `row` on, one product deep from `depth` on, both in elements. The tile's rows are
/// along the depth, or, `transposed`, along the matrix's own rows.
LeftFragment loadLeft(Builder &builder, const SharedTile &tile, Element element, bool transposed,
                      llvm::Value *row, unsigned depth);
/// Two times 8 columns from `column` on, of a tile whose rows are along the depth, or,
/// `transposed`, along the columns.
std::array<RightFragment, 2> loadRight(Builder &builder, const SharedTile &tile, Element element,
                                       bool transposed, llvm::Value *column, unsigned depth);
/// A float to the 11 bits that tf32 has, to nearest, halves away from zero.
llvm::Value *asTf32(Builder &builder, llvm::Value *value);
/// Floats are rounded to what tf32 has; others stay.
LeftFragment rounded(Builder &builder, Element element, LeftFragment fragment);
RightFragment rounded(Builder &builder, Element element, RightFragment fragment);

Sums multiply(Builder &builder, Element element, const LeftFragment &left,
              const RightFragment &right, const Sums &sums);

/// 8 rows of 16 bytes for each register, at the places that lanes 8 i to 8 i + 7 name for register
/// i (sm_90).
void storeMatrices(Builder &builder, llvm::Value *row, llvm::ArrayRef<llvm::Value *> registers,
                   bool transposed);

/// Two floats as two numbers of 16 bits in a register, the first one low.
llvm::Value *packed(Builder &builder, Element element, llvm::Value *first, llvm::Value *second);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_MMA_H
