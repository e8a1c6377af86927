// Rows of whole numbers of 8 bits, of which 32 side by side share a scale: caches of `--caches-as
// int8`.
#ifndef WEFT_IR_MODEL_WEIGHTS_GROUPEDROW_H
#define WEFT_IR_MODEL_WEIGHTS_GROUPEDROW_H

#include <cstdint>

namespace weft::model::grouped {

/// Numbers that share a scale, as many as of weights (WeightGroups.h), which also says how a scale
/// is found and what a number is rounded to.
inline constexpr int64_t length = 32;
/// Of a group: the numbers, then the scale, a bfloat16.
inline constexpr int64_t bytes = length + 2, scaleAt = length;

} // namespace weft::model::grouped

#endif // WEFT_IR_MODEL_WEIGHTS_GROUPEDROW_H
