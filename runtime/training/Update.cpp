// Running the update entry.
#include "runtime/training/Update.h"

#include <cmath>

using namespace weft::runtime;

/// Whether an input is a gradient, not the number of a step. A parameter may be called `step`, too.
static bool isGradient(const Argument &input) {
  return !input.gradientOf.empty();
}

int64_t Update::bytesToBind() const {
  Result<Sizes> sizes = run.settle();
  return sizes ? run.bytesAt(*sizes) : 0;
}

int64_t Update::bytesOfGradients() const {
  Result<Sizes> sizes = run.settle();
  int64_t bytes = 0;
  for (const Argument &input : run.entry().inputs)
    if (sizes && isGradient(input))
      bytes += sizes->count(input.dims) * bytesOf(input.element);
  return bytes;
}

Status Update::bind(EntryRun &gradient, std::span<Mirror> instead) {
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
    int number = static_cast<int>(output);
    Mirror &computed = gradient.lendOutput(number);
    bool isSummed = output < instead.size() && instead[output].size() > 0;
    run.useInput(static_cast<int>(i), isSummed ? &instead[output] : &computed);
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

Result<Update::Outcome> Update::apply(uint64_t seed, int64_t step, int64_t steps) {
  setNumber(run, "step", step);
  setNumber(run, "steps", steps);
  if (Status status = run.run(seed, static_cast<uint64_t>(step)); !status)
    return status.error();
  double norm = outputNamed(run, "norm");
  if (!std::isfinite(norm)) // then the update has left everything as it was
    return diverged("gradient", step, norm);
  return Outcome{norm, outputNamed(run, "rate")};
}
