// The interpreter's tensors: dense, row-major, in double precision.
#ifndef WEFT_IR_REFERENCE_ARRAY_H
#define WEFT_IR_REFERENCE_ARRAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace weft::reference {

using Floats = std::vector<double>;
using Wholes = std::vector<int64_t>;
using Switches = std::vector<uint8_t>; // 0 or 1

/// A dense tensor; `shape` is in the order in which its type lists the dimensions, the last one is
/// contiguous.
struct Array {
  llvm::SmallVector<int64_t> shape;
  std::variant<Floats, Wholes, Switches> data;

  template <typename Elements> const Elements &as() const { return std::get<Elements>(data); }
  const Floats &floats() const { return as<Floats>(); }
  const Wholes &wholes() const { return as<Wholes>(); }
  const Switches &switches() const { return as<Switches>(); }
  bool operator==(const Array &) const = default;
};

using Shared = std::shared_ptr<const Array>;

/// The number of elements of a tensor with this shape; of too many for 64 bits, as many as no
/// memory holds.
inline int64_t countOf(llvm::ArrayRef<int64_t> shape) {
  constexpr int64_t most = INT64_MAX;
  int64_t count = 1;
  bool isTooMany = false;
  for (int64_t size : shape)
    isTooMany |= __builtin_mul_overflow(count, size, &count);
  return isTooMany && !llvm::is_contained(shape, 0) ? most : count;
}

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_ARRAY_H
