// What a kernel makes of the sums of its products, element by element.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_TILEEPILOGUE_H
#define WEFT_CODEGEN_GPU_CONTRACTION_TILEEPILOGUE_H

#include "codegen/emit/Loops.h"
#include "codegen/rows/RowNest.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::gpu {

/// The elements of a tile that one thread has: `rows` by `columns`, so far apart. i64 values.
struct ThreadTile {
  llvm::Value *batch, *firstRow, *firstColumn;
  int64_t rowStep, columnStep, rows, columns;
};

class TileEpilogue {
public:
  TileEpilogue(emit::Frame frame, kernel::FusedOp op, const kernel::ContractionForm &form,
               const kernel::Segment &segment);
  /// Of each sum of the segment the one in this row and column (i64), by number, of the thread.
  using SumsAt = llvm::function_ref<emit::Values(llvm::Value *row, llvm::Value *column)>;
  /// Stores the segment's results where they are within it.
  void emit(const ThreadTile &tile, SumsAt sums);

private:
  static kernel::RowProgram programOf(kernel::FusedOp op, const kernel::Segment &segment);
  rows::RowFrame at(llvm::ArrayRef<model::DimAttr> dims, llvm::Value *index, rows::RowFrame frame);
  void emitElement(const rows::RowFrame &frame, llvm::ArrayRef<llvm::Value *> sums);

  emit::Frame frame;
  const kernel::ContractionForm &form;
  const kernel::Segment &segment;
  kernel::RowProgram program;
  rows::OrderedKernel kernel;
};

/// For sums that a thread has in registers, row by row, what is beyond the result too: they lie in
/// memory of the thread's own, which the cache holds.
void inSlots(llvm::IRBuilderBase &b, const ThreadTile &tile, llvm::ArrayRef<emit::Values> sums,
             llvm::function_ref<void(TileEpilogue::SumsAt)> body);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_TILEEPILOGUE_H
