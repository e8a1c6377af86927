// Which tile of a kernel's products a block computes.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_TILEGRID_H
#define WEFT_CODEGEN_GPU_CONTRACTION_TILEGRID_H

#include "codegen/gpu/base/DeviceEmission.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::gpu {

/// Tiles of the result, over all positions of the batch and all segments, whose tiles of columns
/// stand side by side. All i64.
struct TileGrid {
  llvm::Value *rowTiles, *columnTiles, *blocks;
  llvm::SmallVector<llvm::Value *> ends; ///< of each segment, in tiles of columns

  TileGrid(Frame frame, const ContractionForm &form, int64_t rows, int64_t columns);

  /// A tile of `segment`: the position of the batch, and the tile's number along both sides.
  using Body = llvm::function_ref<void(const Segment &segment, llvm::Value *batch,
                                       llvm::Value *rowTile, llvm::Value *columnTile)>;
  /// Emits `body` once for each segment, and lets block `block` do its tile.
  void emit(llvm::IRBuilderBase &b, const ContractionForm &form, llvm::Value *block,
            Body body) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_TILEGRID_H
