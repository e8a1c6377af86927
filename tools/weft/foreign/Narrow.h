// Floats in half precision: how `weft export --dtype` writes them.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_NARROW_H
#define WEFT_TOOLS_WEFT_FOREIGN_NARROW_H

#include "runtime/tensors/ElementType.h"

#include <vector>

namespace weft {

/// Each value rounded to the nearest of `type`, F16 or BF16, to the even one of two that are as
/// near. One that rounds to more than the largest finite number becomes an infinity.
std::vector<uint16_t> narrowed(const std::vector<float> &values, runtime::ElementType type);

/// The first of them that is an infinity or NaN, or -1.
int64_t firstNotFinite(const std::vector<uint16_t> &values, runtime::ElementType type);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_NARROW_H
