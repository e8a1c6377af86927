// Entries, training steps and tokens that are run again and again.
#include "runtime/program/Subject.h"

#include "runtime/base/Philox.h"
#include "runtime/data/RandomBatches.h"
#include "runtime/generation/Generator.h"

#include <algorithm>

using namespace weft::runtime;

static Status refusePack(const Options &options, const std::string &name) {
  if (!options.has("pack"))
    return success();
  return Error{Code::Usage,
               text("--pack goes with an entry; a step of %s packs what it has to", name.c_str())};
}

/// A whole step, as `train` does it: gradients, packing, update.
static Result<Subject> trainingStep(Model &model, const Training &training, const Options &options,
                                    std::vector<SizeSetting> sizes) {
  if (Status status = refusePack(options, training.name); !status)
    return status.error();
  struct Steps {
    RandomBatches data;
    std::unique_ptr<Trainer> trainer; // which reads it
  };
  auto steps = std::make_shared<Steps>(RandomBatches(std::move(sizes)));
  TrainSettings settings;
  settings.steps = 1000000;
  settings.evaluateEvery = 0;
  settings.batch = steps->data.fixedBatch();
  Result<std::unique_ptr<Trainer>> created =
      Trainer::create(model, training, steps->data, settings);
  if (!created)
    return created.error();
  steps->trainer = std::move(*created);
  auto once = [steps](int64_t step) {
    Result<Trainer::Outcome> outcome = steps->trainer->step(step);
    return outcome ? success() : Status(outcome.error());
  };
  return Subject{training.name, once, steps->trainer->amountOfStep(), steps->trainer->memory()};
}

/// A step of one token, with the context half full.
static Result<Subject> token(Model &model, const Decoding &decoding, const Options &options,
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
  Result<Generator> created = Generator::create(model, decoding, capacity);
  if (!created)
    return created.error();
  auto generator = std::make_shared<Generator>(std::move(*created));
  RandomStream stream(1, streamNamed("bench"));
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < std::max<int64_t>(known, 1); ++i)
    ids.push_back(static_cast<int32_t>(
        stream.below(static_cast<uint64_t>(generator->vocabulary()), static_cast<uint64_t>(i))));
  if (known > 0)
    if (auto logits = generator->advance(ids); !logits)
      return logits.error();
  auto once = [generator, known, id = ids[0]](int64_t) {
    generator->assumeKnown(known);
    auto logits = generator->advance({&id, 1});
    return logits ? success() : Status(logits.error());
  };
  return Subject{
      text("%s at position %lld", decoding.name.c_str(), wide(known)), once, {1, "tokens"}};
}

static Result<Subject> entryOf(Model &model, const std::string &name, const Options &options,
                               const std::vector<SizeSetting> &sizes) {
  Result<int> entry = model.entry(name);
  if (!entry)
    return entry.error();
  auto run = std::make_shared<EntryRun>(model, *entry);
  for (const SizeSetting &setting : sizes)
    if (Status status = run->setSize(setting.dimension, setting.size, "--set"); !status)
      return status.error();
  if (Status status = run->allocate(); !status)
    return status.error();
  fillRandomly(*run, 1);
  auto once = [run, pack = options.has("pack")](int64_t step) {
    if (pack)
      run->program().parameters.changed();
    return run->run(0, static_cast<uint64_t>(step));
  };
  return Subject{name, once, {run->tokens(), "tokens"}, run->arenaBytes() + run->packedBytes()};
}

std::vector<OptionSpec> weft::runtime::subjectOptions() {
  return {{"entry", "NAME",
           "an entry, a training (a whole step) or a decoding (a token); `info` lists them"},
          {"set", "DIM=N,...", "the sizes that the model leaves open"},
          {"pack", "", "pack the weights before every run, as where they change between runs"}};
}

Result<Subject> weft::runtime::subjectOf(Model &model, const Options &options) {
  Result<std::vector<SizeSetting>> sizes = readSizeSettings(options);
  if (!sizes)
    return sizes.error();
  const std::vector<Training> none,
      &trainings = model.facts.trains() ? model.facts.trainings : none;
  if (!options.has("entry") && trainings.empty())
    return options.need("entry").error();
  std::string name = options.string("entry", trainings.empty() ? "" : trainings[0].name);
  for (const Training &training : trainings)
    if (training.name == name) {
      model.parameters.initialize(*model.pool, 1);
      return trainingStep(model, training, options, std::move(*sizes));
    }
  int update = model.facts.entry(name); // which takes the optimizer's states
  bool isUpdate = update >= 0 && model.facts.entries[update].kind == EntryKind::Update;
  model.parameters.initialize(*model.pool, 1, isUpdate ? Kinds(isAny) : Kinds(isWeight));
  for (const Decoding &decoding : model.facts.decodings)
    if (decoding.name == name)
      return token(model, decoding, options, *sizes);
  return entryOf(model, name, options, *sizes);
}
