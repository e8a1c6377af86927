// Panels of weights that are stored as whole numbers, 32 of a column with one scale.
#ifndef WEFT_IR_KERNEL_STORAGE_GROUPEDPANELS_H
#define WEFT_IR_KERNEL_STORAGE_GROUPEDPANELS_H

#include "ir/kernel/Kernel.h"
#include "ir/model/weights/WeightGroups.h"

#include <optional>

namespace weft::kernel {

/// What `#kernel.panels<…, storage = i8>`, or `i4`, says; nothing of all other layouts
/// (`storageOf`).
///
/// A panel is [rows / 32] groups, the last one filled up with zeros. A group of 32 rows and `width`
/// columns is the scales, a bfloat16 for each column, then the numbers; a weight is its number
/// times the scale of its group and column. Numbers of 8 bits lie [row][column]. Of 4 bits those of
/// eight rows are one word, the first row's lowest, and words lie [rows / 8][column].
inline std::optional<model::WeightFormat> weightFormatOf(mlir::Attribute layout) {
  auto panels = llvm::dyn_cast<PanelsAttr>(layout);
  mlir::Type storage = panels ? panels.getStorage() : mlir::Type();
  if (!storage || storage.isBF16())
    return std::nullopt;
  return storage.isSignlessInteger(8) ? model::WeightFormat::int8 : model::WeightFormat::int4;
}

/// Bytes of an element, its share of a scale too.
inline double averageBytes(model::NamedTensorType type, mlir::Attribute layout) {
  if (std::optional<model::WeightFormat> format = weightFormatOf(layout))
    return model::groups::bytesOfWeight(*format);
  model::Footprint each = model::footprintOf(storageOf(type, layout));
  return double(each.bytes) / double(each.together);
}

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_STORAGE_GROUPEDPANELS_H
