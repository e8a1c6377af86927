// The functions of one float, each said once: what the language, folds, the interpreter and
// `decode` know of it. No MLIR.
#ifndef WEFT_IR_MODEL_FLOATFUNCTIONS_H
#define WEFT_IR_MODEL_FLOATFUNCTIONS_H

#include <cmath>
#include <limits>
#include <string_view>

namespace weft::model {

/// A function from a float to a float, applied to each element. In the language it is called by its
/// name, in the model dialect `model.<name>` applies it. Its gradient is in
/// GradientsElementwise.cpp, its code in each target.
struct FloatFunction {
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  std::string_view name;
  /// Its value, or NaN: what the interpreter computes, and what is computed when the program is
  /// built.
  double (*evaluate)(double);
  /// The bounds of its values, infinite where there are none. Rounding never goes beyond.
  double least = -infinite, most = infinite;
  /// By how much the code of a target may be off besides the rounding of its result, in units of
  /// 2^-23: as a share of the result, and absolutely.
  double relative = 8, absolute = 0;
};

inline constexpr FloatFunction floatFunctions[] = {
    {"exp", [](double x) { return std::exp(x); }, 0, FloatFunction::infinite, 2},
    // near 1 it is near 0
    {"log", [](double x) { return std::log(x); }, -FloatFunction::infinite, FloatFunction::infinite,
     8, 2},
    {"sqrt", [](double x) { return std::sqrt(x); }, 0, FloatFunction::infinite, 1},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0},
    {"sin", [](double x) { return std::sin(x); }, -1, 1, 2, 2},
    {"cos", [](double x) { return std::cos(x); }, -1, 1, 2, 2},
    {"tanh", [](double x) { return std::tanh(x); }, -1, 1},
    {"erf", [](double x) { return std::erf(x); }, -1, 1},
};

/// The function of that name, or null.
constexpr const FloatFunction *findFloatFunction(std::string_view name) {
  for (const FloatFunction &function : floatFunctions)
    if (function.name == name)
      return &function;
  return nullptr;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_FLOATFUNCTIONS_H
