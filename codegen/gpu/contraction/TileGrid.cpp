// Which tile of a kernel's products a block computes.
#include "codegen/gpu/contraction/TileGrid.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::gpu {

TileGrid::TileGrid(Frame frame, const ContractionForm &form, int64_t rows, int64_t columns) {
  IRBuilderBase &b = frame.builder;
  auto tilesOf = [&](ArrayRef<DimAttr> dims, int64_t tile) {
    return ceilDiv(b, frame.extent(dims), b.getInt64(tile));
  };
  rowTiles = tilesOf(form.rows, rows);
  columnTiles = b.getInt64(0);
  for (const Segment &segment : form.segments) {
    columnTiles = b.CreateNSWAdd(columnTiles, tilesOf(segment.columns, columns));
    ends.push_back(columnTiles);
  }
  blocks = b.CreateNSWMul(frame.extent(form.batch), b.CreateNSWMul(rowTiles, columnTiles));
}

void TileGrid::emit(IRBuilderBase &b, const ContractionForm &form, Value *block, Body body) const {
  // Neighbouring blocks have the same columns: of the larger side less is read at a time.
  Value *tiles = b.CreateNSWMul(rowTiles, columnTiles);
  Value *tile = b.CreateURem(block, tiles), *batch = b.CreateUDiv(block, tiles);
  Value *rowTile = b.CreateURem(tile, rowTiles), *columnTile = b.CreateUDiv(tile, rowTiles);
  Value *begin = b.getInt64(0);
  for (auto [segment, end] : zip(form.segments, ends)) {
    auto emit = [&, begin = begin, &segment = segment] {
      body(segment, batch, rowTile, b.CreateNSWSub(columnTile, begin));
    };
    if (form.segments.size() == 1)
      emit();
    else
      when(b, b.CreateAnd(b.CreateICmpSGE(columnTile, begin), b.CreateICmpSLT(columnTile, end)),
           emit);
    begin = end;
  }
}

} // namespace weft::gpu
