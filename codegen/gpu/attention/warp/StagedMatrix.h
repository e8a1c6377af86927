// Rows of a bf16 matrix in shared memory: queries, keys, values or gradients of some positions, and
// the fragments that products take of them.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_WARP_STAGEDMATRIX_H
#define WEFT_CODEGEN_GPU_ATTENTION_WARP_STAGEDMATRIX_H

#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/contraction/RingSide.h"
#include "codegen/gpu/instructions/Mma.h"

namespace weft::gpu {

/// A buffer whose rows are the positions `rows`, some of them at a time, and whose columns are all
/// of `columns`, filled up with zeros to a power of two.
class StagedMatrix {
public:
  struct Shape {
    llvm::ArrayRef<DimAttr> rows, columns;
    unsigned tileRows, tileColumns;
    unsigned threads;
  };
  /// `alignments`: of what buffers begin at, in bytes, as far as they are known.
  StagedMatrix(const AttentionBuffers &buffers, unsigned buffer, const Shape &shape,
               llvm::ArrayRef<unsigned> alignments);
  StagedMatrix(const StagedMatrix &) = delete; // the ring's side refers to what is kept here

  unsigned bytes() const { return RingSide::bytes(ringShape()); }
  unsigned columns() const { return shape.tileColumns; }
  /// Brings, or asks for, the rows from `first` (i64) on.
  void fill(llvm::Value *place, llvm::Value *first) const { ring.fill(place, first); }

  /// Rows from `row` (i32) on as those of a product, whose sum runs along the columns.
  LeftFragment left(llvm::Value *place, llvm::Value *row, unsigned deep) const;
  /// Rows from `row` on as columns of a product, whose sum runs along the columns.
  std::array<RightFragment, 2> rowsAcross(llvm::Value *place, unsigned row, unsigned deep) const;
  /// Columns from `column` on as columns of a product, whose sum runs along the rows.
  std::array<RightFragment, 2> columnsAcross(llvm::Value *place, unsigned column,
                                             unsigned deep) const;

private:
  RingSide::Shape ringShape() const {
    return {shape.threads, shape.tileColumns, shape.tileRows, bytesOf(Element::bfloat16)};
  }
  Side sideOf(unsigned buffer, llvm::ArrayRef<unsigned> alignments) const;

  const AttentionBuffers &buffers;
  Builder &b;
  Shape shape;
  Side side; // its depth is the rows
  RingSide ring;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_WARP_STAGEDMATRIX_H
