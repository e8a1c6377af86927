// What a worker keeps of a row's values while it computes the row, in its scratch.
#ifndef WEFT_CODEGEN_ROWS_ROWCELLS_H
#define WEFT_CODEGEN_ROWS_ROWCELLS_H

#include "codegen/emit/Elementwise.h"
#include "codegen/rows/RowMemory.h"

namespace weft::rows {

/// The cells of one value: one for each of its positions inside a row. A cell has `slots` numbers:
/// where the lanes lie along outer dimensions, one for each lane of the vectors that are computed
/// at a time; else one.
struct RowCell {
  mlir::Value value;
  DimList dims; // outermost first
  llvm::Type *element;
  int64_t slots;

  /// Rounded up to whole lines of the cache.
  llvm::Value *bytes(Frame frame) const;
};

/// Of every value that `program` keeps, where so many lanes that lie along outer dimensions are
/// computed at a time.
llvm::SmallVector<RowCell> cellsOf(const RowProgram &program, const Emission &emission,
                                   int64_t lanesAtATime, Numbers numbers);
/// All of them together.
llvm::Value *bytesOf(llvm::ArrayRef<RowCell> cells, Frame frame);

/// Reads and writes cells, for the row and the lanes that are being computed and for no others.
class RowCells {
public:
  RowCells(llvm::IRBuilderBase &builder, RowMemory &memory, const RowProgram &program)
      : builder(builder), memory(memory), program(program) {}

  /// The dimension of a frame that says which slots of a cell its lanes take.
  static DimAttr slotsOf(mlir::MLIRContext *context);

  /// Cuts `cells` from `scratch`.
  void place(llvm::ArrayRef<RowCell> cells, llvm::Value *scratch, Frame frame);
  bool has(mlir::Value value) const { return tensors.contains(value); }
  /// In `pass`; of a reduction that adds up in its cells, only those that come later see the sum.
  llvm::Value *load(mlir::Value value, const RowFrame &frame, unsigned pass);
  void store(mlir::Value value, llvm::Value *computed, const RowFrame &frame);
  /// The partial sum of a reduction that is not done.
  llvm::Value *partial(mlir::Value value, const RowFrame &frame);

private:
  const MemoryTensor &cellAt(mlir::Value value, const RowFrame &frame) const;

  llvm::IRBuilderBase &builder;
  RowMemory &memory;
  const RowProgram &program;
  llvm::DenseMap<mlir::Value, MemoryTensor> tensors;
};

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWCELLS_H
