// Floats as whole numbers of 8 bits, of which 32 side by side share a scale: caches of programs
// that were built with --caches-as int8.
#ifndef WEFT_RUNTIME_TENSORS_GROUPEDFLOATS_H
#define WEFT_RUNTIME_TENSORS_GROUPEDFLOATS_H

#include <cstdint>

namespace weft::runtime::grouped {

/// A group is `length` numbers, then the scale: the upper half of a float32.
constexpr int64_t length = 32, bytes = length + 2;

/// What is read at a place.
float valueAt(const void *groups, int64_t place);
/// Whole groups, rounded as kernels round: the largest magnitude of a group becomes 127 or -127,
/// but for a scale that is rounded away from 0; ties to even. A group with an infinite number or a
/// NaN is NaN.
void store(const float *values, int64_t count, void *groups);

} // namespace weft::runtime::grouped
#endif
