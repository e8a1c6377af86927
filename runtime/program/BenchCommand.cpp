// `OUT bench`: how long an entry takes, on random weights and inputs.
#include "runtime/isa/Isa.h"
#include "runtime/model/EntryRun.h"
#include "runtime/program/Command.h"
#include "runtime/random/InitialValues.h"
#include "runtime/random/Philox.h"

#include <algorithm>
#include <chrono>

using namespace weft::runtime;

/// Random indices within their dimension, truth values, and numbers of about the size of weights;
/// whole numbers are 1.
static void fillInputs(EntryRun &run) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    int input = static_cast<int>(i);
    RandomStream stream(1, streamNamed(inputs[i].name));
    int64_t count = run.inputCount(input);
    if (inputs[i].element == Element::Float)
      fillNormal(run.input<float>(input), count, 0.02, 1, inputs[i].name);
    for (int64_t j = 0; j < count && inputs[i].element != Element::Float; ++j) {
      auto limit = inputs[i].index >= 0 ? static_cast<uint64_t>(run.sizes()[inputs[i].index]) : 2;
      auto value = static_cast<int32_t>(stream.below(limit, static_cast<uint64_t>(j)));
      if (inputs[i].element == Element::Bool)
        run.input<char>(input)[j] = static_cast<char>(value);
      else
        run.input<int32_t>(input)[j] = inputs[i].index >= 0 ? value : 1;
    }
  }
}

static int64_t tokensOf(const EntryRun &run) {
  for (size_t i = 0; i < run.entry().inputs.size(); ++i)
    if (run.entry().inputs[i].index >= 0)
      return run.inputCount(static_cast<int>(i));
  return 0;
}

/// Seconds of each of `count` runs, sorted, after two that warm up.
static Result<std::vector<double>> timeRuns(EntryRun &run, Model &model, int64_t count,
                                            bool prepare) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int64_t i = -2; i < count; ++i) {
    if (prepare)
      model.parameters.changed();
    Clock::time_point start = Clock::now();
    if (Status status = run.run(0, static_cast<uint64_t>(i + 3)); !status)
      return status.error();
    if (i >= 0)
      times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

static Result<int> bench(Model &model, const Options &options) {
  Result<std::string> name = options.need("entry");
  Result<int64_t> runs = options.integer("runs", 20, 1, 1000000);
  Result<std::vector<SizeSetting>> settings = readSizeSettings(options);
  if (!name || !runs || !settings)
    return !name ? name.error() : !runs ? runs.error() : settings.error();
  Result<int> entry = model.entry(*name);
  if (!entry)
    return entry.error();
  model.parameters.initialize(1);
  EntryRun run(model, *entry);
  for (const SizeSetting &setting : *settings)
    if (Status status = run.setSize(setting.dimension, setting.size, "--set"); !status)
      return status.error();
  if (Status status = run.allocate(); !status)
    return status.error();
  fillInputs(run);
  Result<std::vector<double>> times = timeRuns(run, model, *runs, options.has("pack"));
  if (!times)
    return times.error();
  auto at = [&](double share) {
    return (*times)[static_cast<size_t>(share * static_cast<double>(times->size() - 1) + 0.5)] *
           1e3;
  };
  printf("%s: median %.3f ms, quartiles %.3f to %.3f, least %.3f; %zu runs", name->c_str(), at(0.5),
         at(0.25), at(0.75), at(0), times->size());
  if (int64_t tokens = tokensOf(run))
    printf("; %.0f tokens/s", static_cast<double>(tokens) * 1e3 / at(0.5));
  printf("; arena %.1f MB, packed %.1f MB; %s, %d threads\n",
         static_cast<double>(run.arenaBytes()) * 1e-6,
         static_cast<double>(run.packedBytes()) * 1e-6, isaName(model.isa), model.pool->threads());
  return 0;
}

Command weft::runtime::benchCommand() {
  return {"bench",
          "how long an entry takes, on random weights and inputs",
          "Times an entry on random weights and inputs and prints the median, the quartiles and "
          "the least time of a run.",
          {{"entry", "NAME", "the entry to run (`info` lists them)"},
           {"set", "DIM=N,…", "the sizes that the model leaves open"},
           {"runs", "N", "how many runs to time (default 20)"},
           {"pack", "", "pack the weights before every run, as training does"}},
          bench};
}
