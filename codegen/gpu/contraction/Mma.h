// A contraction by mma.sync (sm_80 and later): tiles of both sides come by cp.async into a ring of
// stages in shared memory, each warp multiplies its part of a block's tile.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_MMA_H
#define WEFT_CODEGEN_GPU_CONTRACTION_MMA_H

#include "codegen/gpu/instructions/Mma.h"

#include <string>

namespace weft::gpu {

/// One side of a contraction: a matrix of which either the summed dimension (`alongDepth`) or the
/// other one is contiguous.
struct Side {
  llvm::Value *data;  ///< ptr addrspace(1), a multiple of `copyBytes`
  llvm::Value *pitch; ///< i64: elements from one to the next of what is not contiguous; likewise
  bool alongDepth;
};

/// i32 each. What is contiguous on a side is whole pieces of `copyBytes` long.
struct ContractionSizes {
  llvm::Value *rows, *columns, *depth;
};

struct MmaTiles {
  Element element = Element::bfloat16;
  unsigned rows = 128, columns = 128, depth = 32; ///< of a block
  unsigned warpsDown = 2, warpsAcross = 4;
  unsigned stages = 3;
  unsigned copyBytes = 16;

  unsigned threads() const { return warpsDown * warpsAcross * lanesOfWarp; }
  unsigned sharedBytes() const { return stages * (rows + columns) * depth * bytesOf(element); }
  /// Why there is no such kernel, or "".
  std::string problem(bool leftAlongDepth, bool rightAlongDepth) const;
};

/// Takes two sums that stand side by side, of `row`, `column` and `column` + 1 (i32) of the result;
/// they may lie beyond its end.
using Epilogue = llvm::function_ref<void(Builder &builder, llvm::Value *row, llvm::Value *column,
                                         llvm::Value *first, llvm::Value *second)>;

/// The tile `tileRow`, `tileColumn` (i32) of the result, by all threads of a block, with the shared
/// memory from `shared` on.
void emitContraction(Builder &builder, const MmaTiles &tiles, const Side &left, const Side &right,
                     const ContractionSizes &sizes, llvm::Value *tileRow, llvm::Value *tileColumn,
                     llvm::Value *shared, Epilogue epilogue);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_MMA_H
