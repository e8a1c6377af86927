// A kernel's operand or result as a matrix, copied into scratch and back.
#ifndef WEFT_CODEGEN_CPU_TILES_MATRIXVIEW_H
#define WEFT_CODEGEN_CPU_TILES_MATRIXVIEW_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Frame.h"
#include "codegen/emit/Stored.h"

namespace weft::cpu {

/// A strided value of floats along flattened rows and columns, for one position of a batch. `enter`
/// comes first; what it emits must dominate the copies. Copies in scratch are dense: rows of
/// `stride` elements, a multiple of 16, filled up with zeros.
class MatrixView {
public:
  MatrixView(Frame frame, kernel::FusedOp op, unsigned buffer, const Axes &axes);

  void enter(llvm::Value *batch);
  /// i64
  llvm::Value *columns() const;
  /// Rows have one stride, and elements of a row are contiguous: it can be read in place.
  bool isMatrix() const;
  /// Whether its rows are whole groups, where elements share scales.
  bool hasWholeGroups() const;
  /// Elements from a row of such a matrix to the next.
  llvm::Value *rowStride() const;
  /// Where row `row` starts.
  llvm::Value *row(llvm::Value *row) const;
  /// How its elements are stored.
  const Stored &element() const { return stored; }
  /// Of a view without columns, the one element of a row.
  llvm::Value *load(llvm::Value *row) const;
  void store(llvm::Value *value, llvm::Value *row) const;

  /// A part of the rows, and its copy.
  struct Part {
    llvm::Value *first, *count; // rows
    llvm::Value *copy, *stride; // where in scratch; elements from row to row
  };
  /// copy[i][c] = element * factor (a float).
  void read(Part part, llvm::Value *factor) const;
  /// copy[i][c] = element, as it is stored.
  void copy(Part part) const;
  /// copy[i / 16][c][i % 16] = element; the last panel repeats the last row. In `pairs`, of
  /// bfloat16: two columns of a row in a word, copy[i / 16][c / 2][i % 16]; what an odd number of
  /// columns leaves is zeros.
  void readPanels(llvm::Value *first, llvm::Value *count, llvm::Value *copy,
                  bool pairs = false) const;
  /// Of bfloat16, two rows of a column in a word: copy[c / 16][i / 2][c % 16], whose panels of 16
  /// columns have `rows` (i64) rows; what an odd number of rows leaves is zeros.
  void readPairs(llvm::Value *first, llvm::Value *count, llvm::Value *rows,
                 llvm::Value *copy) const;
  /// element = copy[i][c] * factor(i), or element += …
  void write(Part part, bool accumulate,
             llvm::function_ref<llvm::Value *(llvm::Value *i)> factor) const;
  /// element = 0, for all rows.
  void clear() const;

private:
  llvm::Value *element(llvm::Value *row, llvm::Value *column) const;
  void forEachVector(llvm::function_ref<void(llvm::Value *column, llvm::Value *mask)> body) const;
  void readPairedPanels(llvm::Value *first, llvm::Value *count, llvm::Value *copy) const;
  void transposePanel(llvm::Value *first, llvm::Value *count, llvm::Value *copy) const;
  void transposeWords(llvm::function_ref<llvm::Value *(llvm::Value *lane)> from,
                      llvm::Value *copy) const;
  llvm::Value *halfOr0(llvm::Value *row, llvm::Value *column) const;
  /// copy[i][c] = as(element), read as `from` says.
  void rowsInto(Part part, const Stored &from,
                llvm::function_ref<llvm::Value *(llvm::Value *)> as) const;

  Frame frame;
  unsigned buffer;
  Stored stored;
  Walk batchWalk, rowWalk, columnWalk;
  DimList rowDims, columnDims;
  llvm::Value *base = nullptr;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_MATRIXVIEW_H
