// Right sides of products that are read in panels.
#include "ir/kernel/storage/PackedSides.h"

using namespace mlir;

namespace weft::kernel {

PanelsAttr packedWithin(FusedOp op, unsigned operand) {
  ArrayAttr packs = op.getPacksAttr();
  return packs ? dyn_cast<PanelsAttr>(packs[operand]) : PanelsAttr();
}

void packWithin(FusedOp op, unsigned operand, PanelsAttr panels) {
  SmallVector<Attribute> packs(op.getNumOperands(), UnitAttr::get(op.getContext()));
  if (ArrayAttr before = op.getPacksAttr())
    packs.assign(before.begin(), before.end());
  packs[operand] = panels;
  op.setPacksAttr(ArrayAttr::get(op.getContext(), packs));
}

Attribute readAs(FusedOp op, unsigned operand) {
  PanelsAttr panels = packedWithin(op, operand);
  return panels ? Attribute(panels) : op.getLayoutsAttr()[operand];
}

bool packsWithin(FusedOp op) {
  return op.getPacksAttr() && llvm::any_of(op.getPacksAttr(), llvm::IsaPred<PanelsAttr>);
}

} // namespace weft::kernel
