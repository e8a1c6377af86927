// From a text to weights that are rounded by it.
#include "tools/weft/build/Calibrated.h"

#include "ir/model/weights/WeightsAs.h"
#include "tools/weft/base/Inference.h"
#include "tools/weft/build/CalibrationRun.h"

#include <fmt/format.h>

namespace weft {

std::optional<std::string> wrongForCalibrate(const Arguments &arguments) {
  if (!arguments.has("weights"))
    return "--calibrate goes with --weights: it is they that are rounded";
  return std::nullopt;
}

std::optional<std::string> wrongToCalibrate(mlir::ModuleOp module) {
  std::optional<model::WeightsAs> weights = model::weightsAsOf(module);
  if (!weights || !weights->rounds())
    return "--calibrate says how weights are rounded, and this program rounds none; add "
           "`--weights-as int4`";
  if (dataOfLosses(module).empty())
    return "--calibrate: the program has no loss, in which what weights are multiplied by could be "
           "seen: it has no entry made by `minimize`";
  return std::nullopt;
}

bool calibrate(const Arguments &arguments, mlir::ModuleOp plan, CarriedWeights &carried) {
  using Rounding = CalibrationRun::Rounding;
  CalibrationRun run(arguments, carried);
  if (!run.isGood())
    return false;
  std::string data = arguments.get("calibrate");
  auto parameters = calibration::roundedParameters(plan);
  std::vector<std::string> done;
  for (const auto &[name, parameter] : parameters) {
    std::optional<std::string> problem = parameter.otherwise;
    if (problem->empty())
      problem = run.round(name, parameter.slice, Rounding::byMoments);
    if (problem)
      fmt::print("`{}` is rounded to the nearest: {}\n", name, *problem);
    else
      done.push_back(name);
  }
  // What each product is off by becomes less; the loss, which nothing here computes with, may not.
  size_t kept = 0;
  std::optional<double> best = run.loss();
  if (!best) {
    fmt::print(stderr,
               "weft build: {}: the loss with weights that are rounded by it cannot be measured on "
               "it, so nothing can be decided\n",
               data);
    return false;
  }
  for (const std::string &name : done) {
    std::vector<float> byMoments = run.valuesOf(name);
    (void)run.round(name, parameters.at(name).slice, Rounding::nearest); // it has no reason not to
    std::optional<double> other = run.loss();
    if (other && *other < *best) {
      best = other;
      continue;
    }
    run.keep(name, byMoments);
    ++kept;
  }
  fmt::print("{} of {} rounded parameters are rounded by what multiplies them in {} rows of {}, {} "
             "to the nearest\n",
             kept, parameters.size(), run.rows(), data, parameters.size() - kept);
  return true;
}

} // namespace weft
