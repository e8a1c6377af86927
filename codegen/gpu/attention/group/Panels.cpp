// Copies of panels, and descriptors of their parts.
#include "codegen/gpu/attention/group/Panels.h"

#include "codegen/gpu/instructions/Group.h"

using namespace llvm;

namespace weft::gpu {

SharedTile Panels::panel(Builder &builder, unsigned number) const {
  constexpr unsigned wide = unsigned(Swizzle::bytes128);
  return {offset(builder, base, number * rows * wide), rows, wide, Swizzle::bytes128};
}

void Panels::load(Builder &builder, const TileSource &source, Value *first, Mbarrier counts,
                  unsigned boxes) const {
  unsigned high = rows / boxes;
  for (unsigned box = 0; box < boxes; ++box) {
    SmallVector<Value *> coordinates = {nullptr};
    append_range(coordinates,
                 source.coordinates(builder.CreateAdd(first, builder.getInt32(box * high))));
    for (unsigned column = 0; column < columns; column += panelColumns) {
      coordinates[0] = builder.getInt32(column);
      SharedTile tile = panel(builder, column / panelColumns);
      tile.base = offset(builder, tile.base, box * high * tile.rowBytes);
      tile.rows = high;
      loadTile(builder, tile, source.map, counts, coordinates);
    }
  }
}

Value *Panels::rowsFrom(Builder &builder, Value *row, unsigned deep) const {
  return descriptorOf(builder, panel(builder, deep / panelColumns), Element::bfloat16,
                      /*transposed=*/false, row, deep % panelColumns);
}

Value *Panels::columnsOver(Builder &builder, unsigned deep) const {
  return descriptorOf(builder, panel(builder, 0), Element::bfloat16, /*transposed=*/true,
                      builder.getInt32(0), deep);
}

LeftFragment Panels::left(Builder &builder, Value *row, unsigned deep) const {
  return loadLeft(builder, panel(builder, deep / panelColumns), Element::bfloat16,
                  /*transposed=*/false, row, deep % panelColumns);
}

Value *Panels::chunk(Builder &builder, Value *row, unsigned column) const {
  constexpr unsigned each = chunkBytes / bytesOf(Element::bfloat16);
  return panel(builder, column / panelColumns)
      .chunk(builder, row, builder.getInt32(column % panelColumns / each));
}

} // namespace weft::gpu
