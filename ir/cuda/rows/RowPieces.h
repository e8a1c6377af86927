// What threads of rows read and write at once, and whether they have a row in registers: what
// follows from layouts, addresses and a schedule.
#ifndef WEFT_IR_CUDA_ROWPIECES_H
#define WEFT_IR_CUDA_ROWPIECES_H

#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"

namespace weft::cuda {

/// As kernel::expandRows; what a device computes again in fewer instructions than it would be
/// written and read with is kept no more.
mlir::FailureOr<kernel::ExpandedRows> expandedFor(kernel::FusedOp op, const kernel::DimTable &dims);

/// Lanes of a row that stand side by side, of which pieces are read and written at once.
struct RowPieces {
  /// Of each buffer: so many elements lie at a multiple of their bytes, from every lane on at which
  /// a vector begins.
  llvm::SmallVector<unsigned> beside;
  /// Vectors do not begin at lane 0, but where the row of this buffer is at a multiple of a
  /// vector's elements: rows of an odd pitch.
  std::optional<unsigned> shiftedBy;

  /// Elements that all buffers have in their pieces together.
  unsigned all() const;
};

/// Operands and results lie at multiples of `alignments` bytes, or, where nothing is said, of their
/// elements. A thread has `vector` lanes side by side, a power of two.
RowPieces piecesOf(const kernel::RowProgram &program, const kernel::DimTable &dims,
                   llvm::ArrayRef<unsigned> alignments, int64_t vector);
/// A scatter's program, whose lanes are those elements of its rows that lie side by side in the
/// result: of `further`, or none.
kernel::RowProgram alongScatter(const kernel::ScatterForm &form, const kernel::DimTable &dims);

/// Of each buffer, as those of most programs lie.
llvm::SmallVector<unsigned> usualAlignments(kernel::FusedOp op);
/// The same where vectors begin at lane 0 in any case.
RowPieces piecesFromStart(const kernel::RowProgram &program, const kernel::DimTable &dims,
                          llvm::ArrayRef<unsigned> alignments, int64_t vector);

/// Whether a thread has all of its lanes of a row at a time, so that it reads them once, where a
/// team has so many.
bool holdsRows(const kernel::RowProgram &program, const kernel::DimTable &dims,
               int64_t lanesAtOnce);

/// Terms of its sums that a thread of `columns` with so many lanes reads together.
int64_t termsAtOnce(const kernel::RowProgram &program, int64_t vector);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ROWPIECES_H
