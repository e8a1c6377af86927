// Rows of elements that are stored as whole numbers, 32 side by side with one scale.
#ifndef WEFT_IR_KERNEL_STORAGE_GROUPEDROWS_H
#define WEFT_IR_KERNEL_STORAGE_GROUPEDROWS_H

#include "ir/kernel/Kernel.h"

namespace weft::kernel {

/// What `#kernel.layout<…, storage = i8>` says; how they lie is in GroupedRow.h.
inline bool isGroupedRows(mlir::Attribute layout) {
  auto strided = llvm::dyn_cast<LayoutAttr>(layout);
  return strided && strided.getStorage() && strided.getStorage().isInteger(8);
}

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_STORAGE_GROUPEDROWS_H
