// A contraction by mma.sync (sm_80 and later): tiles of both sides come into a ring of stages in
// shared memory, each warp multiplies its part of a block's tile.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_MMA_H
#define WEFT_CODEGEN_GPU_CONTRACTION_MMA_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/contraction/RingSide.h"
#include "codegen/gpu/instructions/Mma.h"

#include <string>

namespace weft::gpu {

struct MmaTiles {
  Element element = Element::bfloat16;
  unsigned rows = 128, columns = 128, depth = 32; ///< of a block
  unsigned warpsDown = 2, warpsAcross = 4;
  unsigned stages = 3;

  unsigned threads() const { return warpsDown * warpsAcross * lanesOfWarp; }
  unsigned sharedBytes() const { return stages * (rows + columns) * depth * bytesOf(element); }
  /// Sums that a thread has in registers.
  unsigned sumsEach() const { return rows * columns / threads(); }
  /// Why there is no such kernel, or "".
  std::string problem() const;
};

/// Where a block's tile begins, and how far the result goes. i64.
struct MmaPlace {
  llvm::Value *firstRow, *firstColumn, *rows, *columns;
};

/// How deep both sides are, and the steps [first, end) of a tile's depth that are multiplied; null:
/// all. i64.
struct MmaDepth {
  llvm::Value *size, *first = nullptr, *end = nullptr;
};

/// Takes two sums that stand side by side, of `row`, `column` and `column` + 1 (i32) of the tile,
/// which may reach beyond the result.
using SumPair = llvm::function_ref<void(llvm::Value *row, llvm::Value *column, llvm::Value *first,
                                        llvm::Value *second)>;

/// The tile of a result, by all threads of a block.
class MmaTile {
public:
  /// `shared`: that many bytes of shared memory.
  MmaTile(Builder &builder, const MmaTiles &tiles, const MmaPlace &place, llvm::Value *shared);

  /// As each thread has them, in registers.
  emit::Values zero() const;
  /// `sums` with the products of two sides over `depth` added. The shared memory must be free, and
  /// is again behind a barrier.
  emit::Values multiply(const Side &left, const Side &right, const MmaDepth &depth,
                        llvm::ArrayRef<llvm::Value *> sums) const;
  /// Calls `pair` for all sums of the thread. With `group`, which gets the first of sixteen rows
  /// (i32), around those in these rows.
  void each(llvm::ArrayRef<llvm::Value *> sums, SumPair pair) const;
  void each(llvm::ArrayRef<llvm::Value *> sums,
            llvm::function_ref<void(llvm::Value *row, llvm::function_ref<void()> body)> group,
            SumPair pair) const;

private:
  unsigned rowsOfWarp() const { return tiles.rows / tiles.warpsDown; }
  unsigned columnsOfWarp() const { return tiles.columns / tiles.warpsAcross; }
  unsigned productsDown() const { return rowsOfWarp() / mmaRows; }
  unsigned productsAcross() const { return columnsOfWarp() / mmaColumns; }
  RingSide::Shape shape(unsigned wide) const {
    return {tiles.threads(), wide, tiles.depth, bytesOf(tiles.element)};
  }
  emit::Values multiplyStage(const SharedTile &left, bool leftAlongDepth, const SharedTile &right,
                             bool rightAlongDepth, llvm::ArrayRef<llvm::Value *> sums) const;

  Builder &builder;
  MmaTiles tiles;
  MmaPlace place;
  llvm::Value *shared;
  llvm::Value *warpRow, *warpColumn; ///< in the tile (i32)
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_MMA_H
