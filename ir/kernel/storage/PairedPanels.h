// Panels of bfloat16, whose rows lie in pairs.
#ifndef WEFT_IR_KERNEL_STORAGE_PAIREDPANELS_H
#define WEFT_IR_KERNEL_STORAGE_PAIREDPANELS_H

#include "ir/kernel/Kernel.h"

namespace weft::kernel {

/// Rows of a panel that lie in one word of a column.
constexpr int64_t rowsOfPair = 2;

/// Whether two rows of a column are one word, the first row's lower half: then a panel is
/// [rows / 2][width][2], and where the number of rows is odd its last upper halves are zeros. That
/// is how instructions that add up products of two terms read it (AVX512_BF16, AMX), and others
/// widen a row with one operation: a bfloat16 is the upper half of a float.
inline bool isPaired(mlir::Attribute layout) {
  auto panels = mlir::dyn_cast<PanelsAttr>(layout);
  return panels && panels.getStorage() && panels.getStorage().isBF16();
}

/// An attribute of a pack, without a value: what it makes stays until the parameter changes, and an
/// update writes it again (`weft-keep-packed`).
inline constexpr llvm::StringLiteral keptAttr = "kept";

/// Rows that a panel has room for.
inline int64_t storedRows(mlir::Attribute layout, int64_t rows) {
  return isPaired(layout) ? (rows + 1) / rowsOfPair * rowsOfPair : rows;
}

/// Where an element of a panel of that width lies, in elements.
inline int64_t placeInPanel(mlir::Attribute layout, int64_t row, int64_t column, int64_t width) {
  if (!isPaired(layout))
    return row * width + column;
  return (row / rowsOfPair * width + column) * rowsOfPair + row % rowsOfPair;
}

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_STORAGE_PAIREDPANELS_H
