// Running the update entry.
#include "runtime/training/Update.h"

#include "runtime/training/Magnitude.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

using namespace weft::runtime;

/// Whether an input is a gradient, not the number of a step. A parameter may be called `step`, too.
static bool isGradient(const Argument &input) {
  return !input.gradientOf.empty();
}

Status Update::bind(const EntryRun &gradient, const std::vector<Block> &instead) {
  const std::vector<Argument> &inputs = run.entry().inputs, &outputs = gradient.entry().outputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!isGradient(inputs[i]))
      continue;
    size_t output = 0;
    while (output < outputs.size() && outputs[output].gradientOf != inputs[i].gradientOf)
      ++output;
    if (output == outputs.size())
      return Error{Code::Internal, text("%s needs the gradient of `%s`, which %s does not give",
                                        run.entry().name.c_str(), inputs[i].gradientOf.c_str(),
                                        gradient.entry().name.c_str())};
    void *memory = output < instead.size() ? instead[output].data() : nullptr;
    run.useInput(static_cast<int>(i), memory ? memory : gradient.output(static_cast<int>(output)));
  }
  return run.allocate();
}

/// Sets an argument that is a single number.
static void setNumber(EntryRun &run, const char *name, int64_t value) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    int number = static_cast<int>(i);
    if (isGradient(inputs[i]) || inputs[i].name != name)
      continue;
    if (inputs[i].element == Element::Int)
      *run.input<int32_t>(number) = static_cast<int32_t>(value);
    else
      *run.input<float>(number) = static_cast<float>(value);
  }
}

static double outputNamed(const EntryRun &run, const char *name) {
  int number = argumentNamed(run.entry().outputs, name);
  return number < 0 ? 0 : *run.output<float>(number);
}

Error weft::runtime::diverged(const char *what, int64_t step, double value) {
  return {Code::Value,
          text("the %s of step %lld is %s: the training has diverged; a lower learning rate or a "
               "longer warm-up may help",
               what, wide(step), std::isnan(value) ? "NaN" : "infinite")};
}

/// Whether the norm of all gradients is a number that a float holds. Once the update has run, it is
/// too late to ask.
Status Update::checkGradients(int64_t step) const {
  const std::vector<Argument> &inputs = run.entry().inputs;
  double most = 0, count = 0;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (int number = static_cast<int>(i); isGradient(inputs[i])) {
      float largest =
          largestMagnitude(*model.pool, run.input<float>(number), run.inputCount(number));
      if (!std::isfinite(largest))
        return diverged("gradient", step, largest);
      most = std::max<double>(most, largest);
      count += static_cast<double>(run.inputCount(number));
    }
  if (most * std::sqrt(count) < FLT_MAX)
    return success();
  double squares = 0; // as good as never
  for (size_t i = 0; i < inputs.size(); ++i)
    if (int number = static_cast<int>(i); isGradient(inputs[i]))
      for (int64_t j = 0; j < run.inputCount(number); ++j) {
        double value = run.input<float>(number)[j];
        squares += value * value;
      }
  double norm = std::sqrt(squares);
  return norm < FLT_MAX ? success() : Status(diverged("gradient", step, INFINITY));
}

Result<Update::Outcome> Update::apply(uint64_t seed, int64_t step, int64_t steps) {
  if (Status status = checkGradients(step); !status)
    return status.error();
  setNumber(run, "step", step);
  setNumber(run, "steps", steps);
  if (Status status = run.run(seed, static_cast<uint64_t>(step)); !status)
    return status.error();
  model.parameters.changed();
  double norm = outputNamed(run, "norm");
  if (!std::isfinite(norm)) // of an update that computes it otherwise: no checkpoint may follow
    return diverged("gradient", step, norm);
  return Outcome{norm, outputNamed(run, "rate")};
}
