// Arithmetic that folds and the interpreter share: what an op means for two numbers (language.md,
// Hard corners 2, 3).
#ifndef WEFT_IR_MODEL_ARITHMETIC_H
#define WEFT_IR_MODEL_ARITHMETIC_H

#include <cmath>
#include <cstdint>
#include <optional>

namespace weft::model {

/// floor(a / b), exact; empty if `b` is 0 or the result leaves int64.
inline std::optional<int64_t> floorDivide(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// a - b * floor(a / b): has the sign of `b`; empty if `b` is 0.
inline std::optional<int64_t> floorModulo(int64_t a, int64_t b) {
  if (b == 0)
    return std::nullopt;
  if (b == -1)
    return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// The same of floats: NaN if `b` is 0.
inline double floorModulo(double a, double b) {
  double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// a ^ b; a whole `b` is repeated multiplication, its reciprocal if `b` is negative.
inline double power(double a, double b) {
  constexpr double longest = 64; // beyond, the C library's is as good
  if (b != std::floor(b) || std::abs(b) > longest)
    return std::pow(a, b);
  double product = 1;
  for (int i = 0; i < std::abs(b); ++i)
    product *= a;
  return b < 0 ? 1 / product : product;
}

/// NaN if either is.
inline double larger(double a, double b) {
  return a > b || std::isnan(a) ? a : b;
}
inline double smaller(double a, double b) {
  return a < b || std::isnan(a) ? a : b;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_ARITHMETIC_H
