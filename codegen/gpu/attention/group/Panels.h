// A matrix of 64 or 128 columns in shared memory as copies of tiles leave it: panels of 128 bytes
// of each row, one behind the other, so that products find rows and columns of it.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_PANELS_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_PANELS_H

#include "codegen/gpu/instructions/Mma.h"
#include "codegen/gpu/instructions/Tensor.h"

#include <functional>

namespace weft::gpu {

constexpr unsigned panelColumns = 64;

/// A matrix in global memory whose columns are contiguous, or many of them.
struct TileSource {
  TensorMapArgument map; ///< its box is `panelColumns` wide and as high as a tile
  /// The coordinates (i32) of a tile from row `first` on, but that of the columns.
  std::function<llvm::SmallVector<llvm::Value *>(llvm::Value *first)> coordinates;
};

struct Panels {
  llvm::Value *base; ///< from a multiple of 1024 bytes on
  unsigned rows, columns;

  static unsigned bytes(unsigned rows, unsigned columns) {
    return rows * columns * bytesOf(Element::bfloat16);
  }
  unsigned bytes() const { return bytes(rows, columns); }
  /// The rows from `first` on; what lies beyond the source's end is zero. `boxes`: how many of the
  /// source's, one below the other, they are.
  void load(Builder &builder, const TileSource &source, llvm::Value *first, Mbarrier counts,
            unsigned boxes = 1) const;
  /// A descriptor of rows from `row` on whose columns are summed, from column `deep` on.
  llvm::Value *rowsFrom(Builder &builder, llvm::Value *row, unsigned deep) const;
  /// A descriptor of all columns, whose rows are summed, from row `deep` on.
  llvm::Value *columnsOver(Builder &builder, unsigned deep) const;
  /// Rows from `row` (i32) on, of which this warp's product takes 16, as a left side in registers.
  LeftFragment left(Builder &builder, llvm::Value *row, unsigned deep) const;
  /// Where 8 elements of a row (i32) from `column` on lie.
  llvm::Value *chunk(Builder &builder, llvm::Value *row, unsigned column) const;

private:
  SharedTile panel(Builder &builder, unsigned number) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_PANELS_H
