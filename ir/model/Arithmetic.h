// What an operation means for numbers (docs/language/values.md): the one place for what is computed
// at build time, for folds and for the interpreter; kernels emit the same (codegen/cpu). No MLIR.
#ifndef WEFT_IR_MODEL_ARITHMETIC_H
#define WEFT_IR_MODEL_ARITHMETIC_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

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

/// floor(a / b), cut to int32; 0 if `b` is 0.
inline int64_t floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1) // the lowest number has no opposite
    return a <= -INT32_MAX ? INT32_MAX : std::max<int64_t>(-a, INT32_MIN);
  int64_t quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return std::clamp<int64_t>(quotient, INT32_MIN, INT32_MAX);
}

/// a - b * floor(a / b): has the sign of `b`; 0 if `b` is 0.
inline int64_t floorModulo(int64_t a, int64_t b) {
  if (b == 0 || b == -1)
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

/// A function of two elements; null for elements for which it is not defined. Who calls it wraps
/// whole results to 32 bits (`wrapped`): of two numbers of 32 bits, none here leaves 64.
struct BinaryFunction {
  std::string_view name; ///< `model.<name>` applies it
  double (*real)(double, double);
  int64_t (*whole)(int64_t, int64_t);
  bool (*logical)(bool, bool) = nullptr;
};

inline constexpr BinaryFunction binaryFunctions[] = {
    {"add", [](double a, double b) { return a + b; }, [](int64_t a, int64_t b) { return a + b; }},
    {"sub", [](double a, double b) { return a - b; }, [](int64_t a, int64_t b) { return a - b; }},
    {"mul", [](double a, double b) { return a * b; }, [](int64_t a, int64_t b) { return a * b; }},
    {"div", [](double a, double b) { return a / b; }, nullptr},
    {"floordiv", nullptr, floorDivide},
    {"mod", floorModulo, floorModulo},
    {"pow", power, nullptr},
    {"max", larger, [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"min", smaller, [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"and", nullptr, nullptr, [](bool a, bool b) { return a && b; }},
    {"or", nullptr, nullptr, [](bool a, bool b) { return a || b; }},
};

/// The function of that name, or null.
constexpr const BinaryFunction *findBinaryFunction(std::string_view name) {
  for (const BinaryFunction &function : binaryFunctions)
    if (function.name == name)
      return &function;
  return nullptr;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_ARITHMETIC_H
