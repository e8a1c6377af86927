// How elements are stored in memory: the one place that knows their bytes. Targets choose the types
// that they compute with.
#ifndef WEFT_IR_MODEL_STORAGETYPE_H
#define WEFT_IR_MODEL_STORAGETYPE_H

#include "ir/model/weights/GroupedRow.h"

#include "mlir/IR/Types.h"

#include <cstdint>

namespace weft::model {

/// `byte` is a switch, 0 or 1. Of `grouped`, rows are whole numbers that share scales
/// (GroupedRow.h).
enum class StorageType { float32, int32, byte, bfloat16, grouped };

/// Of the elements of a `!model.tensor`, where no layout says otherwise: of positions as of other
/// whole numbers.
inline StorageType storageTypeOf(mlir::Type element) {
  if (element.isF32())
    return StorageType::float32;
  return element.isInteger(1) ? StorageType::byte : StorageType::int32;
}

/// How floats are stored of which a layout, or a cache, says `said`.
inline StorageType narrowStorageOf(mlir::Type said) {
  return said.isBF16() ? StorageType::bfloat16 : StorageType::grouped;
}

/// Bytes of `together` elements side by side.
struct Footprint {
  int64_t bytes, together = 1;
};
inline Footprint footprintOf(StorageType storage) {
  switch (storage) {
  case StorageType::float32:
  case StorageType::int32:
    return {4};
  case StorageType::bfloat16:
    return {2};
  case StorageType::byte:
    return {1};
  case StorageType::grouped:
    return {grouped::bytes, grouped::length};
  }
  return {0};
}
/// Of so many elements side by side, whole groups.
inline int64_t bytesOf(StorageType storage, int64_t elements) {
  Footprint each = footprintOf(storage);
  return elements / each.together * each.bytes;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_STORAGETYPE_H
