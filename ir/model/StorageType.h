// How elements are stored in memory: the one place that knows their bytes. Targets choose the types
// that they compute with.
#ifndef WEFT_IR_MODEL_STORAGETYPE_H
#define WEFT_IR_MODEL_STORAGETYPE_H

#include "mlir/IR/Types.h"

#include <cstdint>

namespace weft::model {

/// `byte` is a switch, 0 or 1.
enum class StorageType { float32, int32, byte, bfloat16 };

/// Of the elements of a `!model.tensor`, where no layout says otherwise: of positions as of other
/// whole numbers.
inline StorageType storageTypeOf(mlir::Type element) {
  if (element.isF32())
    return StorageType::float32;
  return element.isInteger(1) ? StorageType::byte : StorageType::int32;
}

inline int64_t bytesOf(StorageType storage) {
  switch (storage) {
  case StorageType::float32:
  case StorageType::int32:
    return 4;
  case StorageType::bfloat16:
    return 2;
  case StorageType::byte:
    return 1;
  }
  return 0;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_STORAGETYPE_H
