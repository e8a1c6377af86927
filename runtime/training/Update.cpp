// Running the update entry.
#include "runtime/training/Update.h"

#include <cmath>

using namespace weft::runtime;

Status Update::bind(const EntryRun &gradient, const std::vector<Block> &instead) {
  const std::vector<Argument> &inputs = run.entry().inputs, &outputs = gradient.entry().outputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name == "step" || inputs[i].name == "steps")
      continue;
    size_t output = 0;
    while (output < outputs.size() && outputs[output].gradientOf != inputs[i].name)
      ++output;
    if (output == outputs.size())
      return Error{Code::Internal, text("%s needs the gradient of `%s`, which %s does not give",
                                        run.entry().name.c_str(), inputs[i].name.c_str(),
                                        gradient.entry().name.c_str())};
    void *memory = output < instead.size() ? instead[output].data() : nullptr;
    run.useInput(static_cast<int>(i), memory ? memory : gradient.output(static_cast<int>(output)));
  }
  return run.allocate();
}

/// Sets an argument that is a single number.
static void setNumber(EntryRun &run, const char *name, int64_t value) {
  int input = argumentNamed(run.entry().inputs, name);
  if (input < 0)
    return;
  if (run.entry().inputs[input].element == Element::Int)
    *run.input<int32_t>(input) = static_cast<int32_t>(value);
  else
    *run.input<float>(input) = static_cast<float>(value);
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
  model.parameters.changed();
  double norm = outputNamed(run, "norm");
  if (!std::isfinite(norm)) // the parameters are no numbers any more: no checkpoint may follow
    return diverged("gradient", step, norm);
  return Outcome{norm, outputNamed(run, "rate")};
}
