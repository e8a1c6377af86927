// Copies of panels, and descriptors of their parts.
#include "codegen/gpu/attention/group/Panels.h"

#include "codegen/gpu/instructions/Group.h"

using namespace llvm;

namespace weft::gpu {

SharedTile Panels::panel(Builder &builder, unsigned number) const {
  constexpr unsigned wide = unsigned(Swizzle::bytes128);
  return {offset(builder, base, number * rows * wide), rows, wide, Swizzle::bytes128};
}

void Panels::load(Builder &builder, const TileSource &source, Value *first, Mbarrier counts) const {
  SmallVector<Value *> coordinates = {nullptr};
  append_range(coordinates, source.coordinates(first));
  for (unsigned column = 0; column < columns; column += panelColumns) {
    coordinates[0] = builder.getInt32(column);
    loadTile(builder, panel(builder, column / panelColumns), source.map, counts, coordinates);
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

} // namespace weft::gpu
