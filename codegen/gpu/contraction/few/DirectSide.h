// A side of a product that threads read from memory as they multiply, in pieces of up to 16 bytes.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_FEW_DIRECTSIDE_H
#define WEFT_CODEGEN_GPU_CONTRACTION_FEW_DIRECTSIDE_H

#include "codegen/emit/Loops.h"
#include "codegen/emit/Stored.h"
#include "codegen/gpu/base/DeviceEmission.h"
#include "codegen/gpu/contraction/Pieces.h"
#include "ir/kernel/Walk.h"

namespace weft::gpu {

/// Elements over the summed dimension, the depth, and over the rows or columns of the result, which
/// it lies across. A thread reads a block of `across` by `deep` of them at a time, which begins at
/// multiples of both.
class DirectSide {
public:
  struct Matrix {
    Stored element;
    llvm::Value *start; ///< ptr to element 0
    Walk acrossWalk, depthWalk;
    llvm::Value *acrossCount, *depthCount; ///< i64
    Pieces pieces;
    bool wholeAcross, wholeDepth; ///< blocks divide the counts
  };
  DirectSide(Frame frame, const Matrix &matrix, unsigned across, unsigned deep);

  /// From now on the rows (or columns) from `first` (i64) on are read.
  void enter(llvm::Value *first);
  /// The block at `depth` (i64), across by depth, as floats. Beyond the depth it is zero; beyond
  /// the rows (or columns) it is anything.
  llvm::SmallVector<Values> read(llvm::Value *depth);

private:
  /// `count` elements that are neighbours along one side, from `first` of `end` there are; what is
  /// beyond is zero.
  Values run(const Walk &walk, llvm::Value *other, llvm::Value *first, unsigned count,
             llvm::Value *end, bool whole);
  Values piece(llvm::Value *offset, unsigned count);
  llvm::Value *offset(const Walk &walk, llvm::Value *index);
  /// `index`, or the last one there is.
  llvm::Value *within(llvm::Value *index, llvm::Value *count, bool whole);

  Frame frame;
  llvm::IRBuilderBase &b;
  Matrix matrix;
  unsigned across, deep;
  llvm::Value *first = nullptr;
  Values rows; ///< offsets of what lies across, where pieces lie along the depth
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_FEW_DIRECTSIDE_H
