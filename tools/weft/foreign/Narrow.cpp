// Rounding binary32 to binary16 and bfloat16.
#include "tools/weft/foreign/Narrow.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {

/// Takes the low `bits` away. A carry goes into the exponent, where it belongs.
static uint32_t roundedAway(uint32_t value, int bits) {
  uint32_t half = (uint32_t(1) << (bits - 1)) - 1, odd = value >> bits & 1;
  return (value + half + odd) >> bits;
}

static uint16_t toHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value), sign = bits >> 16 & 0x8000;
  float size = std::fabs(value);
  if (!(size < 65520.0f)) // half a step above the largest, 65504
    return static_cast<uint16_t>(sign | (std::isnan(value) ? 0x7e00 : 0x7c00));
  if (size < 0x1p-14f) // subnormal there: a multiple of 2^-24
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(size * 0x1p24f)));
  constexpr uint32_t lessBias = 112u << 23;
  return static_cast<uint16_t>(sign | roundedAway((bits & 0x7fffffff) - lessBias, 13));
}

static uint16_t toBfloat(float value) {
  if (std::isnan(value))
    return 0x7fc0;
  return static_cast<uint16_t>(roundedAway(std::bit_cast<uint32_t>(value), 16));
}

std::vector<uint16_t> narrowed(const std::vector<float> &values, runtime::ElementType type) {
  std::vector<uint16_t> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 type == runtime::ElementType::F16 ? toHalf : toBfloat);
  return out;
}

int64_t firstNotFinite(const std::vector<uint16_t> &values, runtime::ElementType type) {
  uint16_t exponent = type == runtime::ElementType::F16 ? 0x7c00 : 0x7f80;
  auto found = std::find_if(values.begin(), values.end(),
                            [&](uint16_t value) { return (value & exponent) == exponent; });
  return found == values.end() ? -1 : found - values.begin();
}

} // namespace weft
