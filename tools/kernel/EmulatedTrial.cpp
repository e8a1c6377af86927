// One kernel of a GPU on trial on the emulator.
#include "tools/kernel/EmulatedTrial.h"

#include "ir/kernel/InPlace.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/work/Work.h"
#include "tools/kernel/CompiledKernel.h"
#include "tools/kernel/Inputs.h"

#include <array>
#include <cstring>

namespace weft::trial {

EmulatedTrial::EmulatedTrial(kernel::FusedOp op, const cuda::Device &image)
    : module(alone(op)),
      // As most buffers of programs lie.
      compiled(*module, image, /*accesses=*/true, /*alignment=*/16), why(compiled.problem()) {}

/// Bit for bit; a NaN is the same as another of its bits.
static bool areSame(const std::vector<Tensor> &some, const std::vector<Tensor> &others) {
  return llvm::equal(some, others, [](const Tensor &a, const Tensor &b) {
    return a.data.size() == b.data.size() &&
           std::memcmp(a.data.data(), b.data.data(), a.data.size() * sizeof(double)) == 0;
  });
}

std::optional<double> EmulatedTrial::check(const Sizes &sizes) {
  kernel::FusedOp op = compiled.op();
  double largest = 0;
  for (bool positive : {true, false}) {
    std::vector<Tensor> inputs = inputsOf(op, sizes, positive);
    auto want = interpret(op, sizes, inputs);
    if (!want)
      return std::nullopt;
    auto bounds = boundsOfNarrowWeights(op, sizes, inputs);
    std::optional<std::vector<Tensor>> first;
    // Warps in their order, the other way round, and in orders that are drawn.
    for (uint64_t seed : positive ? std::array{0, 1, 2} : std::array{1, 3, 4}) {
      EmulatedKernel::Outcome got = compiled.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem) {
        why = got.problem;
        return std::nullopt;
      }
      if (first && !areSame(*first, got.results)) {
        why = "in another order of warps it gives other results";
        return std::nullopt;
      }
      first = got.results;
      for (size_t r = 0; r < want->size(); ++r) {
        Tensor result = got.results[r];
        if (kernel::storageIn(op.getLayoutsAttr()[inputs.size() + r]))
          result = beforeRounding(result, (*want)[r]);
        if (bounds)
          result = within(result, (*want)[r], (*bounds)[r]);
        largest = std::max(largest, difference(result, (*want)[r], largestOf(*want)));
      }
    }
  }
  return largest;
}

/// A scatter's result over what rows are added to, as programs have it where it may lie there.
static std::map<unsigned, unsigned> ontoOperand(kernel::FusedOp op) {
  if (op.getFamily() != kernel::Family::scatter)
    return {};
  mlir::FailureOr<kernel::ScatterForm> form = kernel::readScatter(op);
  std::optional<unsigned> onto = succeeded(form) ? form->onto() : std::nullopt;
  if (!onto || !kernel::mayWriteInPlace(op, 0, *onto))
    return {};
  return {{0, *onto}};
}

std::optional<EmulatedTrial::Predicted>
EmulatedTrial::predict(const Sizes &sizes, const emulator::Device &device, unsigned workers) {
  std::vector<Tensor> inputs = inputsOf(compiled.op(), sizes, /*positive=*/true);
  emulator::Mode counting{.profile = true, .workers = workers};
  EmulatedKernel::Outcome got =
      compiled.run(sizes, inputs, counting, {}, ontoOperand(compiled.op()));
  if (got.problem) {
    why = got.problem;
    return std::nullopt;
  }
  auto table = kernel::DimTable::of(*module);
  auto work = kernel::workOf(compiled.op(), table, [&](const Size &size) {
    return size.evaluate([&](const std::string &name) { return std::optional(sizes.at(name)); })
        .value_or(0);
  });
  if (failed(work))
    return std::nullopt;
  uint64_t bytes = uint64_t(work->bytes());
  std::vector<size_t> launches; // those that have blocks, if any does
  for (size_t launch = 0; launch < compiled.launches(); ++launch)
    if (compiled.blocks(sizes, launch) > 0)
      launches.push_back(launch);
  if (launches.empty())
    launches.push_back(0);
  // What one launch leaves for the next passes by memory once for each of them.
  bool several = launches.size() > 1;
  uint64_t between = several ? uint64_t(compiled.scratchBytes(sizes)) : 0;
  Predicted predicted{{}, {}, bytes};
  for (size_t launch : launches) {
    bool isFirst = launch == launches.front(), isLast = launch == launches.back();
    uint64_t moved =
        between + (isFirst ? uint64_t(work->read) : 0) + (isLast ? uint64_t(work->written) : 0);
    emulator::Footprint footprint{compiled.threadsOfBlock(launch), compiled.sharedBytes(launch)};
    emulator::Prediction time = emulator::predict(got.counts[launch], footprint, device, moved);
    predicted.counts.add(got.counts[launch]);
    if (isFirst)
      predicted.time = time;
    else
      predicted.time.add(time);
  }
  return predicted;
}

} // namespace weft::trial
