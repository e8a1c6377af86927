// `OUT train`: from the command line to a trained model, and on from a checkpoint.
#include "runtime/files/Folder.h"
#include "runtime/isa/Isa.h"
#include "runtime/parameters/Slices.h"
#include "runtime/program/Command.h"
#include "runtime/training/Checkpoint.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/Progress.h"
#include "runtime/training/Trainer.h"

#include <cerrno>
#include <chrono>

using namespace weft::runtime;

namespace {
/// One training, from opening its folder to its last checkpoint.
class TrainingSession {
public:
  TrainingSession(Model &model, const Options &options) : model(model), options(options) {}
  Result<int> run();

private:
  Status openFolder();
  Status chooseTraining();
  Status openBatches();
  Status setParameters();
  Status compare();
  Json state(int64_t step) const;
  Status save(int64_t step, const TrainingLog &log) const;
  Result<int> loop(Trainer &trainer, TrainingLog &log, Progress &progress);
  std::string firstLine() const;
  Model &model;
  const Options &options;
  TrainSettings settings;
  std::optional<FolderLock> lock;
  std::optional<Checkpoint> resumed;
  const Training *training = nullptr;
  std::unique_ptr<DataSource> data;
};
} // namespace

static long long number(int64_t value) {
  return static_cast<long long>(value);
}

Status TrainingSession::openFolder() {
  std::string out = options.string("out");
  if (options.has("resume")) {
    Result<Checkpoint> found = findCheckpoint(out);
    if (!found)
      return Error{found.error().code, found.error().message + "; start without --resume"};
    resumed = std::move(*found);
  }
  Result<TrainSettings> read =
      readTrainSettings(options, resumed ? resumed->state.value("settings", Json()) : Json());
  if (!read)
    return read.error();
  settings = *read;
  if (Status status = makeFolder(out); !status)
    return status;
  Result<FolderLock> taken = FolderLock::take(out);
  if (!taken)
    return taken.error();
  lock.emplace(std::move(*taken));
  if (!resumed)
    if (Result<Checkpoint> found = findCheckpoint(out); found)
      return Error{Code::Value, text("%s: holds a training at step %lld already; go on with "
                                     "--resume, or choose another --out",
                                     out.c_str(), number(found->step))};
  return success();
}

Status TrainingSession::chooseTraining() {
  const std::vector<Training> &trainings = model.facts.trainings;
  std::vector<std::string> names;
  for (const Training &known : trainings) {
    names.push_back(known.name);
    if (!options.has("entry") || options.string("entry") == known.name)
      training = training ? training : &known;
  }
  if (trainings.empty())
    return Error{Code::Value,
                 "this program cannot be trained: its model has no entry made by `minimize`"};
  if (!training)
    return Error{Code::Name, text("no training `%s`; this program has %s",
                                  options.string("entry").c_str(), listed(names).c_str())};
  return success();
}

Status TrainingSession::openBatches() {
  DataRequest request{settings.data, settings.tokenizer, "", settings.sequence, settings.seed};
  if (resumed && fileExists(resumed->file("tokenizer.json")))
    request.tokenizerFile = resumed->file("tokenizer.json");
  Result<std::unique_ptr<DataSource>> opened = openData(model, *training, request);
  if (!opened)
    return opened.error();
  data = std::move(*opened);
  settings.sequence = data->sequence();
  constexpr int64_t usualBatch = 8;
  int64_t fixed = data->fixedBatch();
  if (fixed > 0 && ((settings.batch > 0 && settings.batch != fixed) || settings.accumulate > 1))
    return Error{Code::Value,
                 text("%s has batches of %lld rows; leave --batch and --accumulate out",
                      settings.data.c_str(), number(fixed))};
  settings.batch = fixed > 0 ? fixed : settings.batch > 0 ? settings.batch : usualBatch;
  if (settings.batch % settings.accumulate != 0)
    return Error{Code::Value, text("--accumulate %lld: expected a number that divides --batch %lld",
                                   number(settings.accumulate), number(settings.batch))};
  if (int64_t most = data->mostSteps(); most > 0 && settings.steps > most)
    return Error{Code::Value, text("--steps %lld: %s lasts %lld steps", number(settings.steps),
                                   settings.data.c_str(), number(most))};
  return success();
}

static std::string hexadecimal(uint64_t value) {
  return text("%016llx", static_cast<unsigned long long>(value));
}

Json TrainingSession::state(int64_t step) const {
  return Json{{"weft_checkpoint", 1},
              {"step", step},
              {"training", training->name},
              {"config", model.facts.config},
              {"model", parseJson(model.facts.settings)},
              {"data_hash", hexadecimal(data->fingerprint())},
              {"settings", settingsJson(settings)}};
}

/// A checkpoint can be taken up by the same model on the same data only.
Status TrainingSession::compare() {
  if (!resumed)
    return success();
  Json now = state(0);
  for (auto [key, what] : {std::pair{"model", "the model's sizes"},
                           {"training", "the training"},
                           {"data_hash", "the contents of --data"}}) {
    Json before = resumed->state.value(key, Json());
    if (before != now[key])
      return Error{Code::Value, text("%s: %s differ from this run: there %s, here %s; start a new "
                                     "training in another --out",
                                     resumed->path.c_str(), what, jsonText(before).c_str(),
                                     jsonText(now[key]).c_str())};
  }
  return success();
}

Status TrainingSession::setParameters() {
  if (resumed)
    return loadCheckpoint(*resumed, model);
  model.parameters.initialize(settings.seed);
  if (settings.initial.empty())
    return success();
  Result<SafetensorsFile> file = SafetensorsFile::open(settings.initial);
  return file ? model.parameters.load(*file, isWeight) : Status(file.error());
}

Status TrainingSession::save(int64_t step, const TrainingLog &log) const {
  if (Status status = saveCheckpoint(settings.out, step, model, data->tokenizer(), state(step));
      !status) {
    Result<Checkpoint> last = findCheckpoint(settings.out);
    std::string left =
        last ? text("; the checkpoint of step %lld is whole", number(last->step)) : "";
    return Error{status.error().code, status.error().message + left};
  }
  std::string name = model.facts.config.empty() ? model.facts.source
                                                : model.facts.source + ", " + model.facts.config;
  return log.draw(name + ": loss by step");
}

Result<int> TrainingSession::loop(Trainer &trainer, TrainingLog &log, Progress &progress) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  Interrupt interrupt;
  Clock::time_point start = Clock::now();
  double stepSeconds = 0;
  int64_t first = resumed ? resumed->step + 1 : 1;
  for (int64_t step = first; step <= settings.steps; ++step) {
    Clock::time_point began = Clock::now();
    Result<Trainer::Outcome> outcome = trainer.step(step);
    if (!outcome) {
      progress.clear();
      return outcome.error();
    }
    double took = since(began);
    stepSeconds = step == first ? took : 0.9 * stepSeconds + 0.1 * took;
    bool last = step == settings.steps, stopping = Interrupt::received() || step == settings.stopAt;
    StepRecord record{step,
                      outcome->loss,
                      std::nullopt,
                      outcome->norm,
                      outcome->rate,
                      static_cast<double>(trainer.tokensPerStep()) / std::max(stepSeconds, 1e-9),
                      0};
    if (settings.evaluateEvery > 0 && (last || step % settings.evaluateEvery == 0)) {
      Result<std::optional<double>> validation = trainer.evaluate();
      if (!validation)
        return validation.error();
      record.validation = *validation;
    }
    record.seconds = since(start);
    Result<std::string> line = log.add(record);
    if (!line)
      return line.error();
    if (settings.logJson) {
      puts(line->c_str());
      fflush(stdout);
    }
    progress.show(record);
    if (last || stopping || step % settings.checkpointEvery == 0)
      if (Status status = save(step, log); !status) {
        progress.clear();
        return status.error();
      }
    if (stopping && !last) {
      progress.say(text("stopped after step %lld of %lld; go on with: %s train --resume --out %s",
                        number(step), number(settings.steps), program_invocation_name,
                        settings.out.c_str()));
      return Interrupt::received() ? 128 + Interrupt::received() : 0;
    }
  }
  progress.say(text("done in %s: %s; %s/step-%lld, %s/loss.svg", durationText(since(start)).c_str(),
                    progress.losses().c_str(), settings.out.c_str(), number(settings.steps),
                    settings.out.c_str()));
  return 0;
}

std::string TrainingSession::firstLine() const {
  int64_t parameters = 0;
  for (const Parameter &parameter : model.facts.parameters)
    if (parameter.kind == ParameterKind::Parameter)
      parameters += elementCount(model.facts, parameter);
  std::string rows = settings.sequence > 0
                         ? text("%lld x %lld", number(settings.batch), number(settings.sequence))
                         : text("%lld", number(settings.batch));
  return text("%lld parameters; %s; batch %s; %s, %d threads", number(parameters),
              data->description().c_str(), rows.c_str(), isaName(model.isa), model.pool->threads());
}

Result<int> TrainingSession::run() {
  for (auto prepare :
       {&TrainingSession::openFolder, &TrainingSession::chooseTraining,
        &TrainingSession::openBatches, &TrainingSession::compare, &TrainingSession::setParameters})
    if (Status status = (this->*prepare)(); !status)
      return status.error();
  int64_t done = resumed ? resumed->step : 0;
  Progress progress(done + 1, settings.steps, settings.quiet);
  if (done >= settings.steps) {
    progress.say(text("%s is at step %lld already; --steps is the total", resumed->path.c_str(),
                      number(done)));
    return 0;
  }
  Result<std::unique_ptr<Trainer>> trainer = Trainer::create(model, *training, *data, settings);
  if (!trainer)
    return trainer.error();
  Result<TrainingLog> log = TrainingLog::open(settings.out, done);
  if (!log)
    return log.error();
  progress.say(firstLine());
  if (data->validationRows() == 0 && settings.evaluateEvery > 0)
    progress.say("no validation: the last tenth of the data is shorter than one sequence");
  if (resumed)
    progress.say(text("going on from %s", resumed->path.c_str()));
  return loop(**trainer, *log, progress);
}

static Result<int> train(Model &model, const Options &options) {
  return TrainingSession(model, options).run();
}

Command weft::runtime::trainCommand() {
  return {"train",
          "train the model on a text or on recorded batches",
          "Trains and writes checkpoints. --out DIR gets step-N (the two newest), latest, "
          "log.jsonl and loss.svg.\n"
          "Ctrl-C finishes the step, writes a checkpoint and stops; --resume goes on from the "
          "newest one, bit by bit as if\n"
          "nothing had happened. With --resume, what is not given is as before.",
          {{"data", "KIND:PATH",
            "text:FILE, or tensors:FILE.safetensors (leading dimension: the step)"},
           {"steps", "N", "steps in all, also with --resume"},
           {"batch", "B", "rows of a step (default 8)"},
           {"seq", "T", "tokens of a row (default: as many as the model allows)"},
           {"accumulate", "K", "compute a batch in K parts, to need less memory"},
           {"seed", "N", "of initial values, order of data and random numbers (default 0)"},
           {"tokenizer", "KIND",
            "char, byte, bpe:N (trained on the text), merges:FILE, or a saved FILE"},
           {"init", "FILE", "weights to start from"},
           {"out", "DIR", "where everything goes"},
           {"resume", "", "go on from the newest checkpoint in --out"},
           {"stop-at", "N", "write a checkpoint after step N and stop, as Ctrl-C does"},
           {"checkpoint-every", "N", "steps between checkpoints (default 100)"},
           {"eval-every", "N", "steps between validations, 0 for none (default 50)"},
           {"eval-batches", "N", "batches of a validation (default 8)"},
           {"entry", "NAME", "which training, where the model has several"},
           {"log", "json", "the log, a JSON line per step, to standard output too"},
           {"quiet", "", "no progress"}},
          train};
}
