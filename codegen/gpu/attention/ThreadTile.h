// What a thread has of a block's tile: rows and columns that lie apart, and sums of products of
// them.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_THREADTILE_H
#define WEFT_CODEGEN_GPU_ATTENTION_THREADTILE_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/contraction/StagedSide.h"

namespace weft::gpu {

/// A block of `down` x `across` threads, `across` of them side by side. A thread has every
/// `down`th row and every `across`th column, so that a warp reads neighbours.
class ThreadTile {
public:
  struct Shape {
    int64_t rows, columns; ///< of a thread
    int64_t down, across;  ///< threads
  };
  ThreadTile(llvm::IRBuilderBase &builder, Team &team, Shape shape);

  const Shape shape;
  /// i64, in the tile.
  llvm::Value *row(int64_t i) const;
  llvm::Value *column(int64_t j) const;
  llvm::Value *isFirstOfRow() const; ///< i1
  /// How many of `count` columns a thread has at most.
  int64_t columnsOf(int64_t count) const { return int64_t(llvm::divideCeil(count, shape.across)); }
  /// So many columns, in whole passes of all threads.
  int64_t wholeColumns(int64_t count) const { return columnsOf(count) * shape.across; }

  /// The columns of a product, as they lie: what is summed down and columns across, or the other
  /// way around.
  struct Columns {
    StagedSide &side;
    bool turned = false;
  };
  /// `sums`, row by row, and `count` products more of each of the thread's rows of `left` and its
  /// `columns` of `right`. One after the other, whatever the tile.
  Values products(StagedSide &left, Columns right, int64_t columns, int64_t count, Values sums,
                  int64_t unroll) const;

private:
  llvm::IRBuilderBase &b;
  llvm::Value *first, *beside;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_THREADTILE_H
