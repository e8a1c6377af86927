// A contraction by products of four warps (sm_90a): one group of warps has tiles of both sides
// copied into a ring of stages, the others multiply them; each block goes from tile to tile of the
// result.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_GROUP_H
#define WEFT_CODEGEN_GPU_CONTRACTION_GROUP_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Group.h"
#include "codegen/gpu/instructions/Tensor.h"

#include <functional>
#include <string>

namespace weft::gpu {

struct GroupTiles {
  Element element = Element::bfloat16;
  bool leftAlongDepth = true, rightAlongDepth = true; ///< of every product
  unsigned columns = 128;                             ///< of a tile
  unsigned consumers = 2;                             ///< groups of warps
  unsigned down = 1; ///< products of 64 rows that each consumer has one below the other
  unsigned stages = 4;
  unsigned cluster = 1;    ///< 2: blocks, one below the other, that share the right side's tiles
  unsigned rasterRows = 8; ///< tiles of so many rows come before the next ones along the columns

  unsigned rows() const { return groupRows * consumers * down; }
  unsigned depth() const { return unsigned(Swizzle::bytes128) / bytesOf(element); }
  unsigned threads() const { return threadsOfGroup * (1 + consumers); }
  unsigned stageBytes() const { return (rows() + columns) * unsigned(Swizzle::bytes128); }
  unsigned sharedBytes() const { return stages * stageBytes() + MbarrierRing::bytes(stages); }
  /// The box of a side's tensor map: elements of the contiguous dimension, and of the other one.
  /// A tile is several boxes where the contiguous dimension is not the depth.
  std::pair<unsigned, unsigned> leftBox(bool alongDepth) const;
  std::pair<unsigned, unsigned> rightBox(bool alongDepth) const;
  /// Why there is no such kernel, or "".
  std::string problem() const;
};

/// A side of a product, of which tiles are copied.
struct GroupSide {
  TensorMapArgument map;
  bool alongDepth = true;
  /// The coordinates (i32, of the contiguous dimension first) of a box, from those of its first
  /// element.
  std::function<llvm::SmallVector<llvm::Value *>(llvm::Value *across, llvm::Value *deep)> at;
};

/// Two sides, and the steps [first, end) of a tile's depth that are multiplied (i32).
struct GroupTerm {
  GroupSide left, right;
  llvm::Value *first, *end;
};

/// A tile of a result: where it begins (i32), and the sums that it has, each of some products.
struct GroupTile {
  llvm::Value *row, *column;
  llvm::SmallVector<llvm::SmallVector<GroupTerm, 1>, 1> sums;
};

/// All tiles, by number (i32). Blocks of a cluster have the same number, and tiles that stand one
/// below the other.
struct GroupTiling {
  using Body = llvm::function_ref<emit::Values(const GroupTile &tile,
                                               llvm::ArrayRef<llvm::Value *> carried)>;
  llvm::Value *count;
  /// Calls `body` with what tile `tile` is, and returns what it carries on; where tiles are of
  /// several kinds, once for each of them.
  std::function<emit::Values(llvm::Value *tile, llvm::ArrayRef<llvm::Value *> carried, Body body)>
      visit;
};

/// Takes 64 rows of a tile's sums, by number, from `row` on (i32, of the result); some may lie
/// beyond its end.
using GroupEpilogue = llvm::function_ref<void(const GroupTile &tile,
                                              llvm::ArrayRef<Accumulators> sums, llvm::Value *row)>;

/// All tiles, by all blocks of the grid, however many there are. Maps have the boxes above, mixed
/// over 128 bytes.
void emitGroupProducts(Builder &builder, const GroupTiles &tiles, const GroupTiling &tiling,
                       llvm::Value *shared, GroupEpilogue epilogue);

/// The number of this block in its cluster, i32.
llvm::Value *rankOf(Builder &builder, const GroupTiles &tiles);

/// Tiles come in bands of some rows of them, which go column by column: what is read twice is still
/// in the cache.
struct Raster {
  llvm::Value *row, *column; ///< in tiles
  static Raster of(Builder &builder, const GroupTiles &tiles, llvm::Value *tile, llvm::Value *down,
                   llvm::Value *across);
};

/// i32 each. What is contiguous on a side is whole pieces of 16 bytes long.
struct ContractionSizes {
  llvm::Value *rows, *columns, *depth;
};

/// Takes two sums that stand side by side, of `row`, `column` and `column` + 1 (i32) of the result;
/// they may lie beyond its end.
using Epilogue = llvm::function_ref<void(Builder &builder, llvm::Value *row, llvm::Value *column,
                                         llvm::Value *first, llvm::Value *second)>;

/// One product of two matrices.
void emitContraction(Builder &builder, const GroupTiles &tiles, TensorMapArgument left,
                     TensorMapArgument right, const ContractionSizes &sizes, llvm::Value *shared,
                     Epilogue epilogue);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_GROUP_H
