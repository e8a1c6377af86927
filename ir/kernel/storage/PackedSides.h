// Right sides of products that are read in panels: of those that lie in memory, or of those that a
// kernel makes for itself.
#ifndef WEFT_IR_KERNEL_STORAGE_PACKEDSIDES_H
#define WEFT_IR_KERNEL_STORAGE_PACKEDSIDES_H

#include "ir/kernel/Kernel.h"

namespace weft::kernel {

/// The panels that tasks of `op` make of an operand (`packs`), or null.
PanelsAttr packedWithin(FusedOp op, unsigned operand);
/// Has them make those of it.
void packWithin(FusedOp op, unsigned operand, PanelsAttr panels);
/// How the products of `op` find an operand: in these panels, or as it lies in memory.
mlir::Attribute readAs(FusedOp op, unsigned operand);
/// Whether tasks of `op` pack some right side.
bool packsWithin(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_STORAGE_PACKEDSIDES_H
