// What a warp has of a tile of scores, in registers, as sums of products by matrix instructions
// leave it; and products of such a tile.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_WARP_FRAGMENTS_H
#define WEFT_CODEGEN_GPU_ATTENTION_WARP_FRAGMENTS_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/warp/StagedMatrix.h"

namespace weft::gpu {

/// Of a warp's rows, which are `products` times sixteen from `firstRow` (i32) on. Sums of a tile
/// are listed by product down, product across, and register.
class WarpTile {
public:
  /// `terms`: as how many numbers of bf16 `add` multiplies one, 1 or 2.
  WarpTile(Builder &builder, unsigned rows, unsigned warps, unsigned terms);

  unsigned down() const { return products; }
  unsigned rowsEach() const { return 2 * products; } ///< that a lane has pieces of
  static unsigned across(unsigned columns) { return columns / mmaColumns; }
  /// Sums that a lane has of a tile.
  unsigned sums(unsigned columns) const { return products * across(columns) * 4; }
  emit::Values zero(unsigned columns) const;

  /// Which of the lane's rows sum `number` is of, and where rows and columns stand in the block's
  /// tile: i64.
  static unsigned rowOf(unsigned number, unsigned columns) {
    return number / (4 * across(columns)) * 2 + number % 4 / 2;
  }
  llvm::Value *row(unsigned which) const;
  llvm::Value *column(unsigned number, unsigned columns) const;

  /// Rows of a matrix in shared memory.
  struct Left {
    const StagedMatrix &matrix;
    llvm::Value *place;
  };
  /// left rightᵀ: a row of the right side is a column of the product.
  emit::Values scores(const Left &left, const Left &right, unsigned columns) const;
  /// `sums` with (numbers right) added, of a tile of numbers with `deep` columns. Two terms of bf16
  /// are together off by at most 2^-16 of a number, one by 2^-8.
  emit::Values add(llvm::ArrayRef<llvm::Value *> numbers, unsigned deep, const Left &right,
                   llvm::ArrayRef<llvm::Value *> sums) const;

private:
  llvm::SmallVector<LeftFragment, 2> termsOf(llvm::ArrayRef<llvm::Value *> eight) const;

  Builder &b;
  unsigned products, terms;
  llvm::Value *firstRow;
};

/// e^x, within 2^-21 of it for -126 < x < 0; less than the smallest normal number is 0.
llvm::Value *exponentialBelowZero(Builder &builder, llvm::Value *x);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_WARP_FRAGMENTS_H
