// Which numbers a float holds: values have 32 bits, and programs take what is denormal for 0.
#pragma once

#include <cfloat>
#include <cmath>
#include <string_view>

namespace weft {

/// Whether `number`, rounded to 32 bits, is still a number of its size: not infinite, and 0 only if
/// it was written as 0.
inline bool isInFloatRange(double number) {
  float rounded = static_cast<float>(number);
  return number == 0 || (std::isfinite(rounded) && std::abs(rounded) >= FLT_MIN);
}

inline constexpr std::string_view outsideFloats =
    "this number is out of the range of 32 bit floats";
inline constexpr std::string_view floatRange =
    "a float lies between 1.2e-38 and 3.4e38, or is 0; `inf` is beyond all";

} // namespace weft
