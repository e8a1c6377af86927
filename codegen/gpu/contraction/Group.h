// A contraction by products of four warps (sm_90a): one group of warps has tiles of both sides
// copied into a ring of stages, the others multiply them; each block goes from tile to tile of the
// result.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_GROUP_H
#define WEFT_CODEGEN_GPU_CONTRACTION_GROUP_H

#include "codegen/gpu/instructions/Group.h"
#include "codegen/gpu/instructions/Tensor.h"

#include <string>

namespace weft::gpu {

/// i32 each. What is contiguous on a side is whole pieces of 16 bytes long.
struct ContractionSizes {
  llvm::Value *rows, *columns, *depth;
};

/// Takes two sums that stand side by side, of `row`, `column` and `column` + 1 (i32) of the result;
/// they may lie beyond its end.
using Epilogue = llvm::function_ref<void(Builder &builder, llvm::Value *row, llvm::Value *column,
                                         llvm::Value *first, llvm::Value *second)>;

struct GroupTiles {
  Element element = Element::bfloat16;
  bool leftAlongDepth = true, rightAlongDepth = true;
  unsigned columns = 128; ///< of a tile
  unsigned consumers = 2; ///< groups of warps
  unsigned down = 1;      ///< products of 64 rows that each consumer has one below the other
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
  std::pair<unsigned, unsigned> leftBox() const;
  std::pair<unsigned, unsigned> rightBox() const;
  /// Why there is no such kernel, or "".
  std::string problem() const;
};

/// All tiles of the result, by all blocks of the grid, however many there are; `left` and `right`
/// describe matrices by the boxes above, mixed over 128 bytes. `rows` and `columns` of the epilogue
/// may lie beyond the result's end.
void emitContraction(Builder &builder, const GroupTiles &tiles, TensorMapArgument left,
                     TensorMapArgument right, const ContractionSizes &sizes, llvm::Value *shared,
                     Epilogue epilogue);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_GROUP_H
