// Floats as whole numbers that share scales.
#include "runtime/tensors/GroupedFloats.h"

#include "runtime/tensors/ElementType.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace weft::runtime {

float grouped::valueAt(const void *groups, int64_t place) {
  const char *group = static_cast<const char *>(groups) + place / length * bytes;
  uint16_t scale = 0;
  memcpy(&scale, group + length, sizeof scale);
  return static_cast<float>(static_cast<signed char>(group[place % length])) * widened(scale);
}

/// Of a scale below 2^-125 subnormal numbers would be more than a half: it is 0.
static float scaleOf(const float *values) {
  constexpr float most = 127;
  float largest = 0;
  for (const float *each = values; each != values + grouped::length; ++each) {
    if (!std::isfinite(*each))
      return std::numeric_limits<float>::quiet_NaN();
    largest = std::max(largest, std::abs(*each));
  }
  auto bits = std::bit_cast<uint32_t>(largest / most);
  return bits < 0x01000000 ? 0 : std::bit_cast<float>((bits + 0xffff) & 0xffff0000);
}

void grouped::store(const float *values, int64_t count, void *groups) {
  char *group = static_cast<char *>(groups);
  for (int64_t first = 0; first < count; first += length, group += bytes) {
    float scale = scaleOf(values + first);
    for (int64_t i = 0; i < length; ++i)
      group[i] = scale > 0 ? static_cast<char>(std::nearbyint(values[first + i] / scale)) : '\0';
    auto upper = static_cast<uint16_t>(std::bit_cast<uint32_t>(scale) >> 16);
    memcpy(group + length, &upper, sizeof upper);
  }
}

} // namespace weft::runtime
