// The kernel dialect: which ops are computed together, and how. See Kernel.td.
#ifndef WEFT_IR_KERNEL_KERNEL_H
#define WEFT_IR_KERNEL_KERNEL_H

#include "ir/model/Model.h"
#include "ir/model/StorageType.h"
#include "ir/size/Size.h"

#include "ir/kernel/KernelDialect.h.inc"
#include "ir/kernel/KernelEnum.h.inc"

#include "ir/kernel/KernelAttrInterface.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/kernel/KernelAttrdef.h.inc"
#define GET_OP_CLASSES
#include "ir/kernel/KernelOp.h.inc"

namespace weft::kernel {
using model::DimAttr, model::DimList;
/// The number of the kernel that an op will be part of, while fusions form it (an integer).
inline constexpr llvm::StringLiteral groupName = "kernel.group";

/// What a layout says that elements are stored as; null: as their type says.
mlir::Type storageIn(mlir::Attribute layout);
/// The same layout of elements that are stored so.
mlir::Attribute withStorage(mlir::Attribute layout, mlir::Type storage);
/// How elements of `type` lie in memory with this layout, which is none of panels of whole numbers
/// (GroupedPanels.h).
model::StorageType storageOf(model::NamedTensorType type, mlir::Attribute layout);
/// Whether elements can lie so as whole numbers that share scales (GroupedRow.h): along one
/// dimension they are side by side, and its rows are whole groups apart.
bool hasGroupedRows(LayoutAttr layout);

/// The panels that tasks of `op` make of an operand (`packs`), or null.
PanelsAttr packedWithin(FusedOp op, unsigned operand);
/// Has them make those of it.
void packWithin(FusedOp op, unsigned operand, PanelsAttr panels);
/// Whether they pack some operand.
bool packsWithin(FusedOp op);
/// How the products of `op` find an operand: in these panels, or as it lies in memory.
mlir::Attribute readAs(FusedOp op, unsigned operand);
} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_KERNEL_H
