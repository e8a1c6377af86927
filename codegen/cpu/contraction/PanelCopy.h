// Copies a strided right side of a contraction into panels.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_PANELCOPY_H
#define WEFT_CODEGEN_CPU_CONTRACTION_PANELCOPY_H

#include "codegen/cpu/tiles/TileAccess.h"

namespace weft::cpu {

/// Of a buffer that is a [batch][rows][columns] of any strides, a part at a time. Columns that lie
/// far apart and whose rows are side by side are read along these, and transposed.
class PanelCopy {
public:
  PanelCopy(Frame frame, kernel::LayoutAttr source, model::NamedTensorType type, unsigned buffer,
            kernel::PanelsAttr panels);

  /// The bytes of tables for a part of at most so many rows and columns.
  int64_t tableBytes(int64_t maxRows, int64_t maxColumns) const;
  /// Begins with a part; firstColumn is the first of a panel.
  void enter(const TaskRange &part, llvm::Value *tables, int64_t maxRows, int64_t maxColumns);

  /// Where the rows of a panel from `first` on go: [row - first][16], or, where they are in pairs,
  /// [(row - first) / 2][16][2], and then `first` is the first of one, and where lines of memory
  /// begin. Past the caches `fenceNonTemporal` has to be the end.
  struct Target {
    llvm::Value *start, *first;
    Stored element;
    bool pastCaches = false;
  };
  /// Copies `count` rows of the panel that begins with `column`, from row `first` on.
  void emitRows(const Target &to, llvm::Value *column, llvm::Value *first,
                llvm::Value *count) const;
  llvm::Value *place(const Target &to, llvm::Value *row) const;

private:
  void emitEach(const Target &to, llvm::Value *first, llvm::Value *end, llvm::Value *column,
                llvm::Value *mask) const;
  void emitSquare(const Target &to, llvm::Value *row, llvm::Value *column) const;
  void storePair(const Target &target, llvm::Value *lower, llvm::Value *upper,
                 llvm::Value *to) const;

  Frame frame;
  bool paired; // rows, in words
  bool transposes;
  TileAccess direct, across; // the source with rows or columns of the panels as its rows
  llvm::Value *allColumns = nullptr;
  model::DimList columnDims;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_PANELCOPY_H
