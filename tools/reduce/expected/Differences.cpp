// Central differences in float64.
#include "tools/reduce/expected/Differences.h"

#include "ir/model/Entries.h"
#include "tools/reduce/expected/Inputs.h"

#include <cmath>
#include <fmt/format.h>

using namespace mlir;

namespace weft::reduce {

using reference::Array;
using reference::Floats;

/// What roundings to f32 move a number by, they move it by in float64 in this proportion, with
/// room.
constexpr double inFloat64 = 8 * 0x1p-29;

/// The result that gradients are of: the first that is one float.
static std::optional<size_t> lossOf(const Run &run, const Expected &expected) {
  for (auto [i, tensor] : llvm::enumerate(expected.outputs))
    if (!run.function.getResultAttr(i, model::attr::gradientOf) && tensor.exact.shape.empty() &&
        std::holds_alternative<Floats>(tensor.exact.data))
      return i;
  return std::nullopt;
}

/// The tensor of a run that a gradient is by: a parameter or an input.
static Array *tensorOf(Run &run, StringRef name) {
  if (auto found = run.parameters.find(name); found != run.parameters.end())
    return &found->second;
  for (unsigned i = 0; i < run.function.getNumArguments(); ++i)
    if (reference::inputName(run.function, i) == name)
      return &run.inputs[i];
  return nullptr;
}

std::optional<std::string> differs(const Run &run, const Expected &expected, uint64_t seed) {
  std::optional<size_t> loss = lossOf(run, expected);
  if (!loss || !std::isfinite(expected.outputs[*loss].exact.floats()[0]))
    return std::nullopt;
  double here = expected.outputs[*loss].exact.floats()[0];
  double loses = expected.outputs[*loss].moved[0] * inFloat64;
  unsigned looked = 0;
  for (auto [i, tensor] : llvm::enumerate(expected.outputs)) {
    auto of = run.function.getResultAttrOfType<StringAttr>(i, model::attr::gradientOf);
    if (!of || looked++ == 6)
      continue;
    Numbers numbers(seed, "direction " + of.str());
    Run moved = run;
    Array *point = tensorOf(moved, of);
    if (!point || point->shape != tensor.exact.shape)
      return "there is no such tensor as `" + of.str() + "`, or of another shape";
    const Floats start = point->floats(), &gradient = tensor.exact.floats();
    Floats way(start.size());
    double slope = 0, size = 0, rounding = 0;
    for (size_t j = 0; j < way.size(); ++j) {
      way[j] = numbers.normal();
      slope += way[j] * gradient[j];
      size += std::abs(way[j] * gradient[j]);
      rounding += std::abs(way[j]) * tensor.moved[j] * inFloat64;
    }
    if (!std::isfinite(slope) || !std::isfinite(rounding))
      continue;
    auto at = [&](double step) {
      auto &values = std::get<Floats>(point->data);
      for (size_t j = 0; j < way.size(); ++j)
        values[j] = start[j] + step * way[j];
      auto outputs = interpret(moved, nullptr);
      return failed(outputs) ? std::nan("") : (*outputs)[*loss].floats()[0];
    };
    double wide = 1e-4, near = 2.5e-5;
    double above = at(near), below = at(-near);
    double quotient = (above - below) / (2 * near);
    double scale = std::abs(quotient) + std::abs(slope) + 1e-3 * size;
    double noise = (1e-12 * (std::abs(here) + 1) + loses) / near + rounding;
    if (std::abs(quotient - slope) <= 1e-3 * scale + noise)
      continue;
    // Where both sides, or other widths, do not agree, there is a bend. Of widths that is asked by
    // the quotients' own measure: the sine of a large number has a slope beyond what they can see.
    auto agrees = [&](double width) {
      double other = (at(width) - at(-width)) / (2 * width);
      return std::abs(other - quotient) <= 1e-3 * std::abs(quotient) + noise &&
             std::abs(other - quotient) <= 1e-4 * scale + noise;
    };
    double left = (here - below) / near, right = (above - here) / near;
    if (!agrees(wide) || !agrees(near / 2) ||
        !(std::abs(left - right) <= 0.05 * std::abs(quotient - slope) + noise))
      continue;
    return fmt::format("the gradient by `{}` says {:.6g} along a direction, differences {:.6g}",
                       of.str(), slope, quotient);
  }
  return std::nullopt;
}

} // namespace weft::reduce
