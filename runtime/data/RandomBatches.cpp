// Filling inputs from counter-based random numbers.
#include "runtime/data/RandomBatches.h"

#include "runtime/base/InitialValues.h"
#include "runtime/base/Philox.h"

using namespace weft::runtime;

void weft::runtime::fillRandomly(EntryRun &run, uint64_t seed) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    int input = static_cast<int>(i), index = inputs[i].index;
    int64_t count = run.inputCount(input);
    if (inputs[i].element == Element::Float) {
      fillNormal(run.input<float>(input), count, 0.02, seed, inputs[i].name);
      continue;
    }
    RandomStream stream(seed, streamNamed(inputs[i].name));
    uint64_t limit = index >= 0 ? static_cast<uint64_t>(run.sizes()[index]) : 2;
    for (int64_t j = 0; j < count; ++j) {
      auto value = static_cast<int32_t>(stream.below(limit, static_cast<uint64_t>(j)));
      if (inputs[i].element == Element::Bool)
        run.input<char>(input)[j] = static_cast<char>(value);
      else
        run.input<int32_t>(input)[j] = index >= 0 ? value : 1;
    }
  }
}

Status RandomBatches::setSizes(EntryRun &run, int64_t) const {
  for (const SizeSetting &setting : sizes)
    if (Status status = run.setSize(setting.dimension, setting.size, "--set"); !status)
      return status;
  return success();
}

Status RandomBatches::fillTraining(EntryRun &run, BatchPlace place) const {
  if (place.step == 1) // the memory is the run's: what was filled in stays
    fillRandomly(run, 1);
  return success();
}
