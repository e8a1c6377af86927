// What a kernel makes of the sums of its products, element by element.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_TILEEPILOGUE_H
#define WEFT_CODEGEN_GPU_CONTRACTION_TILEEPILOGUE_H

#include "codegen/emit/Loops.h"
#include "codegen/rows/RowNest.h"
#include "ir/kernel/ContractionForm.h"

#include <numeric>

namespace weft::gpu {

/// The elements of a tile that one thread has: `rows` by `columns`, so far apart. i64 values.
struct ThreadTile {
  llvm::Value *batch, *firstRow, *firstColumn;
  int64_t rowStep, columnStep, rows, columns;
  /// Of so many rows (which `rows` is a multiple of) operands are read before results are stored.
  int64_t rowsAtOnce = 1;
  /// Each column is so many side by side; the first of them is a multiple of that.
  int64_t beside = 1;
};

/// Of so many rows of a thread, as many as registers hold the operands of.
constexpr int64_t atOnce(int64_t rows) {
  constexpr int64_t most = 8;
  return std::gcd(rows, most);
}

class TileEpilogue {
public:
  /// Buffers lie at multiples of `alignments` bytes, or, where nothing is said, of their elements.
  TileEpilogue(emit::Frame frame, kernel::FusedOp op, const kernel::ContractionForm &form,
               const kernel::Segment &segment, llvm::ArrayRef<unsigned> alignments = {});
  /// Of each sum of the segment the one in this row and column (i64), by number, of the thread:
  /// columns side by side are numbers side by side. Also of elements beyond the result.
  using SumsAt = llvm::function_ref<emit::Values(llvm::Value *row, llvm::Value *column)>;
  /// Stores the segment's results where they are within it.
  void emit(const ThreadTile &tile, SumsAt sums);

private:
  /// Elements side by side that are computed, in one row, and whether they are there (i1): else
  /// they are others once more.
  struct Elements {
    llvm::SmallVector<rows::RowFrame, 1> frames;
    llvm::Value *areThere;
    llvm::SmallVector<emit::Values, 1> sums;
  };

  static kernel::RowProgram programOf(kernel::FusedOp op, const kernel::Segment &segment);
  bool isFlat();
  bool comeWhole(int64_t beside) const;
  rows::RowFrame at(llvm::ArrayRef<model::DimAttr> dims, llvm::Value *index, rows::RowFrame frame);
  llvm::SmallVector<rows::RowFrame> besideEachOther(const rows::RowFrame &first, int64_t count);
  rows::RowFrame inRow(llvm::Value *row, rows::RowFrame frame);
  void emitRows(const ThreadTile &tile, llvm::Value *firstRow,
                llvm::ArrayRef<rows::RowFrame> beside,
                llvm::function_ref<emit::Values(unsigned row, unsigned column)> sums);
  void emitElements(llvm::ArrayRef<Elements> all);

  emit::Frame frame;
  const kernel::ContractionForm &form;
  const kernel::Segment &segment;
  kernel::RowProgram program;
  rows::OrderedKernel kernel;
  llvm::SmallVector<unsigned> alignments;
  bool flat;
};

/// For sums that a thread has in registers, row by row, what is beyond the result too: they lie in
/// memory of the thread's own, which the cache holds.
void inSlots(llvm::IRBuilderBase &b, const ThreadTile &tile, llvm::ArrayRef<emit::Values> sums,
             llvm::function_ref<void(TileEpilogue::SumsAt)> body);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_TILEEPILOGUE_H
