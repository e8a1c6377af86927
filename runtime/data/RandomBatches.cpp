// Filling inputs from counter-based random numbers.
#include "runtime/data/RandomBatches.h"

#include "runtime/base/InitialValues.h"
#include "runtime/base/Philox.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

using namespace weft::runtime;

static constexpr double deviation = 0.02;

/// Part by part, each with a seed of its own (`seed + first`): the floats that narrower ones are
/// rounded from would take twice their memory, or more.
template <class Put>
static void fillNarrow(int64_t count, uint64_t seed, std::string_view name, Put put) {
  float part[1024];
  static_assert(std::size(part) % grouped::length == 0);
  for (int64_t first = 0; first < count; first += int64_t(std::size(part))) {
    int64_t here = std::min(count - first, int64_t(std::size(part)));
    fillNormal(part, here, deviation, seed + static_cast<uint64_t>(first), name);
    put(part, first, here);
  }
}

void weft::runtime::fillRandomly(const RandomTensor &tensor, void *values, int64_t count,
                                 uint64_t seed) {
  RandomStream stream(seed, streamNamed(tensor.name));
  auto draw = [&](auto *all, uint64_t limit) {
    for (int64_t i = 0; i < count; ++i)
      all[i] = static_cast<std::remove_pointer_t<decltype(all)>>(
          stream.below(limit, static_cast<uint64_t>(i)));
  };
  switch (tensor.element) {
  case Element::Float:
    return fillNormal(static_cast<float *>(values), count, deviation, seed, tensor.name);
  case Element::BFloat16:
    return fillNarrow(
        count, seed, tensor.name, [&](const float *part, int64_t first, int64_t here) {
          std::transform(part, part + here, static_cast<uint16_t *>(values) + first, narrowed);
        });
  case Element::GroupedInt8:
    return fillNarrow(
        count, seed, tensor.name, [&](const float *part, int64_t first, int64_t here) {
          grouped::store(part, here, static_cast<char *>(values) + bytesOf(tensor.element, first));
        });
  case Element::Bool:
    return draw(static_cast<char *>(values), 2);
  case Element::Int:
    if (tensor.limit > 0)
      draw(static_cast<int32_t *>(values), static_cast<uint64_t>(tensor.limit));
    else
      std::fill_n(static_cast<int32_t *>(values), count, 1);
    return;
  }
}

void weft::runtime::fillRandomly(EntryRun &run, uint64_t seed) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    int input = static_cast<int>(i), index = inputs[i].index;
    int64_t limit = index >= 0 ? run.sizes()[index] : 0;
    fillRandomly({inputs[i].element, limit, inputs[i].name}, run.input(input),
                 run.inputCount(input), seed);
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
