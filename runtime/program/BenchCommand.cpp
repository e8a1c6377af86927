// `OUT bench`: how long an entry or a training step takes, on random weights and inputs.
#include "runtime/base/Json.h"
#include "runtime/base/Philox.h"
#include "runtime/data/RandomBatches.h"
#include "runtime/device/KernelTimes.h"
#include "runtime/generation/Generator.h"
#include "runtime/machine/Isa.h"
#include "runtime/program/Command.h"
#include "runtime/training/Trainer.h"

#include <algorithm>
#include <chrono>
#include <functional>

using namespace weft::runtime;

namespace {
/// Something to time: one call is one run.
struct Subject {
  std::string name;
  std::function<Status(int64_t run)> once;
  Trainer::Amount amount{}; // of one run
  int64_t bytes = 0;        // of work space and packed weights
};
} // namespace

/// Seconds of each of `count` runs, sorted, after two that warm up.
static Result<std::vector<double>> timeRuns(const Subject &subject, int64_t count) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int64_t i = -2; i < count; ++i) {
    Clock::time_point start = Clock::now();
    if (Status status = subject.once(i + 3); !status)
      return status.error();
    if (i >= 0)
      times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

static void print(const Subject &subject, const std::vector<double> &times, const Model &model,
                  bool json) {
  auto at = [&](double share) { // ms
    return times[static_cast<size_t>(share * static_cast<double>(times.size() - 1) + 0.5)] * 1e3;
  };
  double perSecond = static_cast<double>(subject.amount.count) * 1e3 / at(0.5);
  if (json) {
    Json line = jsonObject({{"entry", subject.name},
                            {"runs", times.size()},
                            {"ms", at(0.5)},
                            {"ms_quartiles", {at(0.25), at(0.75)}},
                            {"ms_least", at(0)},
                            {"bytes", subject.bytes},
                            {"isa", isaName(model.isa)},
                            {"threads", model.pool->threads()}});
    if (model.device)
      line["device"] = model.device->title();
    if (subject.amount.count > 0)
      line[text("%s_per_second", subject.amount.unit)] = perSecond;
    puts(jsonText(line).c_str());
    return;
  }
  printf("%s: median %.3f ms, quartiles %.3f to %.3f, least %.3f; %zu runs", subject.name.c_str(),
         at(0.5), at(0.25), at(0.75), at(0), times.size());
  if (subject.amount.count > 0)
    printf("; %.0f %s/s", perSecond, subject.amount.unit);
  if (subject.bytes > 0)
    printf("; work space %.1f MB", static_cast<double>(subject.bytes) * 1e-6);
  printf("; %s\n", model.place().c_str());
}

static Error notOnADevice() {
  return {Code::Usage, "--kernels: kernels are timed one by one on a device; `weft kernel FILE "
                       "--time` times those of the CPU"};
}

/// Prints what each kernel takes in a run, the mean of `count` runs in which each is waited for.
static Status timeKernels(const Subject &subject, const Model &model, int64_t count, bool json) {
  KernelTimes times;
  model.device->times = &times;
  Status status;
  for (int64_t i = 0; i < count && status; ++i)
    status = subject.once(i + 3);
  if (status)
    status = model.device->wait();
  model.device->times = nullptr;
  if (!status)
    return status;
  double all = 0, runs = static_cast<double>(count);
  for (const KernelTimes::Kernel &kernel : times.sorted())
    all += kernel.seconds;
  for (const KernelTimes::Kernel &kernel : times.sorted()) {
    double launches = static_cast<double>(kernel.launches) / runs, ms = kernel.seconds / runs * 1e3;
    if (json)
      puts(jsonText(jsonObject({{"kernel", kernel.name}, {"launches", launches}, {"ms", ms}}))
               .c_str());
    else
      printf("  %9.4f ms  %5.1f %%  %4.0f x  %s\n", ms, 100 * kernel.seconds / std::max(all, 1e-30),
             launches, kernel.name.c_str());
  }
  return status;
}

/// Times `once` and prints what came out.
static Result<int> time(const Subject &subject, const Model &model, const Options &options) {
  Result<int64_t> runs = options.integer("runs", 20, 1, 1000000);
  if (!runs)
    return runs.error();
  if (options.has("kernels") && !model.device)
    return notOnADevice();
  Result<std::vector<double>> times = timeRuns(subject, *runs);
  if (!times)
    return times.error();
  print(subject, *times, model, options.has("json"));
  if (options.has("kernels"))
    if (Status status =
            timeKernels(subject, model, std::min<int64_t>(*runs, 5), options.has("json"));
        !status)
      return status.error();
  return 0;
}

static Status refusePack(const Options &options, const std::string &name) {
  if (!options.has("pack"))
    return success();
  return Error{Code::Usage,
               text("--pack goes with an entry; a step of %s packs what it has to", name.c_str())};
}

/// A whole step, as `train` does it: gradients, packing, update.
static Result<int> benchTraining(Model &model, const Training &training, const Options &options,
                                 std::vector<SizeSetting> sizes) {
  if (Status status = refusePack(options, training.name); !status)
    return status.error();
  RandomBatches data(std::move(sizes));
  TrainSettings settings;
  settings.steps = 1000000;
  settings.evaluateEvery = 0;
  settings.batch = data.fixedBatch();
  Result<std::unique_ptr<Trainer>> trainer = Trainer::create(model, training, data, settings);
  if (!trainer)
    return trainer.error();
  auto once = [&](int64_t step) {
    Result<Trainer::Outcome> outcome = (*trainer)->step(step);
    return outcome ? success() : Status(outcome.error());
  };
  return time({training.name, once, (*trainer)->amountOfStep(), (*trainer)->memory()}, model,
              options);
}

/// A step of one token, with the context half full.
static Result<int> benchDecoding(Model &model, const Decoding &decoding, const Options &options,
                                 const std::vector<SizeSetting> &sizes) {
  constexpr int64_t unbounded = 1024;
  if (!sizes.empty())
    return Error{Code::Usage, text("--set %s: a step of %s has no sizes to set",
                                   sizes[0].dimension.c_str(), decoding.name.c_str())};
  if (Status status = refusePack(options, decoding.name); !status)
    return status.error();
  const std::string &advance = model.facts.entries[decoding.advance].name;
  if (std::vector<Argument> inputs = givenInputsOf(model.facts, decoding); !inputs.empty())
    return Error{Code::Usage, text("%s needs `%s` besides the ids: time its entry with --entry %s "
                                   "and the sizes of --set",
                                   decoding.name.c_str(), inputs[0].name.c_str(), advance.c_str())};
  std::optional<ContextLimit> limit = contextLimit(model.facts, decoding);
  int64_t capacity = limit ? limit->positions : unbounded, known = capacity / 2;
  Result<Generator> generator = Generator::create(model, decoding, capacity);
  if (!generator)
    return generator.error();
  RandomStream stream(1, streamNamed("bench"));
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < std::max<int64_t>(known, 1); ++i)
    ids.push_back(static_cast<int32_t>(
        stream.below(static_cast<uint64_t>(generator->vocabulary()), static_cast<uint64_t>(i))));
  if (known > 0)
    if (auto logits = generator->advance(ids); !logits)
      return logits.error();
  auto once = [&](int64_t) {
    generator->assumeKnown(known);
    auto logits = generator->advance({ids.data(), 1});
    return logits ? success() : Status(logits.error());
  };
  return time(
      {text("%s at position %lld", decoding.name.c_str(), wide(known)), once, {1, "tokens"}}, model,
      options);
}

static Result<int> benchEntry(Model &model, const std::string &name, const Options &options,
                              const std::vector<SizeSetting> &sizes) {
  Result<int> entry = model.entry(name);
  if (!entry)
    return entry.error();
  EntryRun run(model, *entry);
  for (const SizeSetting &setting : sizes)
    if (Status status = run.setSize(setting.dimension, setting.size, "--set"); !status)
      return status.error();
  if (Status status = run.allocate(); !status)
    return status.error();
  fillRandomly(run, 1);
  auto once = [&](int64_t step) {
    if (options.has("pack"))
      model.parameters.changed();
    return run.run(0, static_cast<uint64_t>(step));
  };
  return time({name, once, {run.tokens(), "tokens"}, run.arenaBytes() + run.packedBytes()}, model,
              options);
}

static Result<int> bench(Model &model, const Options &options) {
  Result<std::vector<SizeSetting>> sizes = readSizeSettings(options);
  if (!sizes)
    return sizes.error();
  const std::vector<Training> &trainings = model.facts.trainings;
  if (!options.has("entry") && trainings.empty())
    return options.need("entry").error();
  std::string name = options.string("entry", trainings.empty() ? "" : trainings[0].name);
  for (const Training &training : trainings)
    if (training.name == name) {
      model.parameters.initialize(1);
      return benchTraining(model, training, options, std::move(*sizes));
    }
  int update = model.facts.entry(name); // which takes the optimizer's states
  bool isUpdate = update >= 0 && model.facts.entries[update].kind == EntryKind::Update;
  model.parameters.initialize(1, isUpdate ? Kinds(isAny) : Kinds(isWeight));
  for (const Decoding &decoding : model.facts.decodings)
    if (decoding.name == name)
      return benchDecoding(model, decoding, options, *sizes);
  return benchEntry(model, name, options, *sizes);
}

Command weft::runtime::benchCommand() {
  return {"bench",
          "how long an entry, a training step or a token takes, on random weights and inputs",
          "Prints the median, the quartiles and the least time of a run, and how much that is per "
          "second.",
          {{"entry", "NAME",
            "an entry, a training (a whole step) or a decoding (a token); `info` lists them"},
           {"set", "DIM=N,...", "the sizes that the model leaves open"},
           {"runs", "N", "how many runs to time (default 20)"},
           {"kernels", "", "what each kernel takes, too: on a device, one by one"},
           {"pack", "", "pack the weights before every run, as training does"},
           jsonOption()},
          bench};
}
