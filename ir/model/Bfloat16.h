// The numbers that a bfloat16 can be: those of 8 significant bits, with the exponents of a float32.
#ifndef WEFT_IR_MODEL_BFLOAT16_H
#define WEFT_IR_MODEL_BFLOAT16_H

#include <cmath>
#include <limits>
#include <utility>

namespace weft::model {

/// The unit roundoff: a rounding changes a number by at most this part of it, unless it is so small
/// that its last bits are beyond the smallest exponent.
inline constexpr double bfloat16Roundoff = 0x1p-8;

namespace bfloat16 {
constexpr double largest = 0x1.fep127;

/// The distance of neighbours at `x`, which is finite.
inline double spacing(double x) {
  int exponent = 0;
  std::frexp(x, &exponent); // x = 0.1... * 2^exponent in binary
  return std::ldexp(1, (x == 0 || exponent < -125 ? -125 : exponent) - 8);
}
} // namespace bfloat16

/// To nearest, ties to even; beyond the largest by half a step or more is an infinity.
inline double roundedToBfloat16(double x) {
  if (!std::isfinite(x))
    return x;
  double step = bfloat16::spacing(x);
  double rounded = std::nearbyint(x / step) * step; // a power of two: exact but for the rounding
  return std::abs(rounded) > bfloat16::largest
             ? std::copysign(std::numeric_limits<double>::infinity(), x)
             : rounded;
}

/// The numbers that are rounded to `x`, which is a bfloat16: from the first to the second, those on
/// the border to one side or the other.
inline std::pair<double, double> roundedTo(double x) {
  if (std::isnan(x))
    return {x, x};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (x < 0) {
    auto [low, high] = roundedTo(-x);
    return {-high, -low};
  }
  double overflow = bfloat16::largest + bfloat16::spacing(bfloat16::largest) / 2;
  if (std::isinf(x))
    return {overflow, infinity};
  double step = bfloat16::spacing(x);
  // Below a power of two neighbours are half as far apart.
  double below = x > 0 ? bfloat16::spacing(std::nextafter(x, 0.0)) : step;
  return {x - below / 2, x + step / 2};
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_BFLOAT16_H
