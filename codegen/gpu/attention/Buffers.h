// The operands and results of an attention, and of its gradient, in memory.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_BUFFERS_H
#define WEFT_CODEGEN_GPU_ATTENTION_BUFFERS_H

#include "codegen/gpu/contraction/StagedSide.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::gpu {

/// Those of one position of the batch. Buffers are numbers, operands first, then results.
struct AttentionBuffers {
  Frame frame;
  kernel::FusedOp op;
  const AttentionForm &form;
  llvm::Value *batch; // i64

  /// What the floats of a buffer are in memory.
  Stored stored(unsigned buffer) const;
  /// A buffer as one side of a product. `wholeDepth`: no tile has more of the depth than there is.
  StagedSide::Matrix matrix(unsigned buffer, llvm::ArrayRef<DimAttr> across,
                            llvm::ArrayRef<DimAttr> depth, bool wholeDepth) const;
  /// Where the element at two flattened indices (i64) lies.
  struct Along {
    llvm::ArrayRef<DimAttr> dims;
    llvm::Value *index;
  };
  llvm::Value *place(unsigned buffer, Along row, Along column) const;
  llvm::Value *load(unsigned buffer, Along row, Along column) const;
  void store(llvm::Value *value, unsigned buffer, Along row, Along column) const;
  /// Neighbours, the first of them at an even index along the columns; those that exist. At once
  /// where they lie side by side. `alignments`: of each buffer a power of two that its address is a
  /// multiple of.
  void storePair(llvm::Value *first, llvm::Value *second, unsigned buffer, Along row, Along column,
                 llvm::ArrayRef<unsigned> alignments) const;

  Walk walk(unsigned buffer, llvm::ArrayRef<DimAttr> dims) const;
  llvm::Value *start(unsigned buffer) const; ///< where its position of the batch lies

private:
  LayoutAttr layout(unsigned buffer) const;
  /// Whether pairs lie at multiples of what they take.
  bool hasPairs(unsigned buffer, llvm::ArrayRef<DimAttr> rows, llvm::ArrayRef<DimAttr> columns,
                llvm::ArrayRef<unsigned> alignments) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_BUFFERS_H
