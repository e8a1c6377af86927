// Arithmetic that folds and the interpreter share: what an op means for two numbers (language.md,
// Hard corners 2, 3).
#ifndef WEFT_IR_MODEL_ARITHMETIC_H
#define WEFT_IR_MODEL_ARITHMETIC_H

#include "ir/model/Model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace weft::model {

/// What int32 holds of a whole number: sums, differences and products wrap.
inline int64_t wrapped(int64_t x) {
  return static_cast<int32_t>(static_cast<uint32_t>(x));
}

/// The largest whole number not above `x`, cut to int32; 0 of NaN.
inline int64_t floorOf(double x) {
  if (std::isnan(x))
    return 0;
  return int64_t(std::clamp(std::floor(x), double(INT32_MIN), double(INT32_MAX)));
}

/// floor(a / b) of two numbers of int32, cut to it; 0 if `b` is 0.
inline int64_t floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  int64_t quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return std::min<int64_t>(quotient, INT32_MAX);
}

/// a - b * floor(a / b) of two numbers of int32: has the sign of `b`; 0 if `b` is 0.
inline int64_t floorModulo(int64_t a, int64_t b) {
  if (b == 0)
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

template <typename Number> bool holds(Comparison predicate, Number a, Number b) {
  switch (predicate) {
  case Comparison::lt:
    return a < b;
  case Comparison::le:
    return a <= b;
  case Comparison::gt:
    return a > b;
  case Comparison::ge:
    return a >= b;
  case Comparison::eq:
    return a == b;
  case Comparison::ne:
    return a != b;
  }
  llvm_unreachable("a comparison has six cases");
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_ARITHMETIC_H
