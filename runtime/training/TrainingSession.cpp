// Folder, data, parameters, then steps.
#include "runtime/training/TrainingSession.h"

#include "runtime/base/files/Folder.h"
#include "runtime/base/files/ReadFiles.h"
#include "runtime/data/OpenData.h"
#include "runtime/model/Slices.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/checkpoint/CheckpointState.h"
#include "runtime/training/checkpoint/LoadWeights.h"
#include "runtime/training/checkpoint/MadeWith.h"
#include "runtime/training/checkpoint/TrainingFor.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdio_ext.h>

using namespace weft::runtime;

TrainingSession::TrainingSession(Model &model, const Options &options)
    : model(model), options(options) {}

TrainingSession::~TrainingSession() = default;

Status TrainingSession::readSettings() {
  std::string out = options.string("out");
  if (options.has("resume")) {
    if (Result<std::string> given = options.need("out"); !given)
      return given.error();
    Result<Checkpoint> found = findCheckpoint(out);
    if (!found)
      return found.error().code == Code::Name
                 ? Error{Code::Name, found.error().message + "; start without --resume"}
                 : found.error();
    if (found->state["data_hash"] == "") // what its data are only its own program knows
      return Error{
          Code::Value,
          text("%s: was saved by weft_trainer_save, and its batches are given by the program "
               "that did; go on there, or begin a training with its parameters: --init %s, and "
               "another --out",
               found->path.c_str(), found->path.c_str())};
    sayWarning(found->warning());
    resumed = std::move(*found);
  }
  Result<TrainSettings> read =
      readTrainSettings(options, resumed ? resumed->state["settings"] : Json());
  if (!read)
    return read.error();
  settings = *read;
  return isFolder(out) ? takeFolder() : success();
}

/// Makes --out where it is not there, and keeps others from it. Nothing of another training is
/// written over.
Status TrainingSession::takeFolder() {
  if (lock)
    return success();
  Result<std::vector<std::string>> folders = makeFolders(settings.out);
  if (!folders)
    return folders.error();
  made = std::move(*folders);
  Result<FolderLock> taken = FolderLock::take(settings.out);
  if (!taken)
    return taken.error();
  lock = std::make_unique<FolderLock>(std::move(*taken));
  if (resumed)
    return success();
  Result<Checkpoint> found = findCheckpoint(settings.out);
  if (found)
    return Error{Code::Value, text("%s: holds a training at step %lld already; go on with "
                                   "--resume, or choose another --out",
                                   settings.out.c_str(), wide(found->step))};
  if (found.error().code != Code::Name)
    return Error{Code::Value, found.error().message + "; choose another --out"};
  return success();
}

/// Before any of its settings is looked at.
Status TrainingSession::checkTrains() const {
  if (model.facts.trainings.empty())
    return Error{Code::Value,
                 "this program cannot be trained: its model has no entry made by `minimize`"};
  if (!model.facts.trains())
    return Error{Code::Value, "this program cannot be trained: it was built with --inference"};
  return success();
}

Status TrainingSession::chooseTraining() {
  const std::vector<Training> &trainings = model.facts.trainings;
  Result<const Training *> chosen =
      trainingFor(trainings, options.string("entry"), resumed ? resumed->state : Json(), "entry");
  if (!chosen)
    return chosen.error();
  training = *chosen;
  return success();
}

Status TrainingSession::openBatches() {
  DataRequest request;
  request.data = settings.data;
  request.options = settings.dataOptions;
  request.seed = settings.seed;
  request.checkpoint = resumed ? resumed->path : vocabulary;
  request.state = resumed ? &resumed->state : nullptr;
  Result<std::unique_ptr<DataSource>> opened = openData(model, *training, request);
  if (!opened && resumed && !options.has("data") && // it is the checkpoint that says so
      !opened.error().message.starts_with(resumed->path))
    return Error{opened.error().code, resumed->path + ": " + opened.error().message};
  if (!opened)
    return opened.error();
  data = std::move(*opened);
  constexpr int64_t usualBatch = 8;
  int64_t fixed = data->fixedBatch();
  if (fixed > 0 && ((settings.batch > 0 && settings.batch != fixed) || settings.accumulate > 1))
    return Error{Code::Value,
                 text("%s has batches of %lld rows; leave --batch and --accumulate out",
                      settings.data.c_str(), wide(fixed))};
  settings.batch = fixed > 0 ? fixed : settings.batch > 0 ? settings.batch : usualBatch;
  if (settings.batch % settings.accumulate != 0)
    return Error{Code::Value, text("--accumulate %lld: expected a number that divides --batch %lld",
                                   wide(settings.accumulate), wide(settings.batch))};
  if (Status status = countSteps(); !status)
    return status;
  if (int64_t most = data->mostSteps(); most > 0 && settings.steps > most)
    return Error{Code::Value,
                 text("--steps %lld: %s holds the batches of %lld steps, each of which is "
                      "taken once; take --steps %lld, or record more",
                      wide(settings.steps), settings.data.c_str(), wide(most), wide(most))};
  return success();
}

/// How many steps the epochs have, and how often to validate.
Status TrainingSession::countSteps() {
  int64_t rows = data->rowsOfEpoch();
  if (settings.epochs > 0 && rows == 0)
    return Error{Code::Usage, text("--epochs %lld: %s has no epochs; give --steps",
                                   wide(settings.epochs), settings.data.c_str())};
  // the last step of an epoch may take rows of the next one, so that all batches are equally large
  auto stepsOf = [&](int64_t epochs) {
    return (epochs * rows + settings.batch - 1) / settings.batch;
  };
  if (settings.epochs > 0 && settings.epochs > mostOfASetting / std::max<int64_t>(1, stepsOf(1)))
    return Error{Code::Value,
                 text("--epochs %lld: with %lld steps each they are more than %lld steps",
                      wide(settings.epochs), wide(stepsOf(1)), wide(mostOfASetting))};
  if (settings.epochs > 0)
    settings.steps = stepsOf(settings.epochs);
  constexpr int64_t usual = 50;
  if (settings.evaluateEvery == TrainSettings::unsaid)
    settings.evaluateEvery = settings.epochs > 0 ? stepsOf(1) : usual;
  return success();
}

Json TrainingSession::state(int64_t step) const {
  Json state = jsonObject({{"weft_checkpoint", 1},
                           {"step", step},
                           {"training", training->name},
                           {"config", model.facts.config},
                           {"data_hash", data->fingerprint()},
                           {"settings", settingsJson(settings)}});
  data->describe(state);
  return state;
}

static Status mustBe(const Checkpoint &checkpoint, const char *key, const char *differs,
                     const Json &now) {
  const Json &before = checkpoint.state[key]; // readCheckpointState() has seen it
  if (before == now)
    return success();
  return Error{
      Code::Value,
      text("%s: %s from this run: there %s, here %s; start a new training in another --out",
           checkpoint.path.c_str(), differs, jsonText(before).c_str(), jsonText(now).c_str())};
}

/// A checkpoint can be taken up by the same model only, with all that a step reads as it was: rates
/// too. Where it is of another, nothing else that it says means anything here.
Status TrainingSession::compareModel() {
  if (!resumed)
    return success();
  if (Status status = fitsOptions(resumed->path, model.facts, training->name, Purpose::Resumption);
      !status)
    return status;
  return mustBe(*resumed, "training", "the training differs", training->name);
}

/// … and on the same data.
Status TrainingSession::compareData() {
  if (!resumed) // readCheckpointState() has seen that it is a text
    return success();
  Result<bool> same = data->hasFingerprint(resumed->state["data_hash"].get<std::string>());
  if (!same)
    return same.error();
  return *same
             ? success()
             : mustBe(*resumed, "data_hash", "the contents of --data differ", data->fingerprint());
}

Status TrainingSession::restoreParameters() {
  return resumed ? loadCheckpoint(*resumed, model) : success();
}

/// Of a training that begins: before the data, which may be read with their vocabulary.
Status TrainingSession::initializeParameters() {
  if (resumed)
    return success();
  model.parameters.initialize(*model.pool, settings.seed);
  if (settings.initial.empty())
    return success();
  Result<LoadedWeights> loaded = loadWeights(model.parameters, settings.initial);
  if (!loaded)
    return loaded.error();
  sayWarning(loaded->warning);
  bool asks = settings.dataOptions.count("tokenizer") || settings.dataOptions.count("min-count");
  if (!asks && !loaded->file(tokenizerFile).empty()) // what they know, they know by its ids
    vocabulary = loaded->checkpoint;
  return success();
}

Status TrainingSession::save(int64_t step, const TrainingLog &log) const {
  if (Status status = saveCheckpoint(settings.out, step, model, data->tokenizers(), state(step),
                                     readsOf(model.facts, training->name));
      !status)
    return status;
  std::string name = model.facts.source.substr(model.facts.source.rfind('/') + 1); // or all of it
  if (!model.facts.config.empty())
    name += ", " + model.facts.config;
  return log.draw(name + ": loss by step");
}

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Takes a step, and measures the validation loss where that is due.
Result<StepRecord> TrainingSession::takeStep(Trainer &trainer, int64_t step) {
  Clock::time_point began = Clock::now();
  Result<Trainer::Outcome> outcome = trainer.step(step);
  if (!outcome)
    return outcome.error();
  double took = since(began);
  stepSeconds = stepSeconds == 0 ? took : 0.9 * stepSeconds + 0.1 * took;
  StepRecord record;
  record.step = step;
  record.training = std::move(outcome->measures);
  record.norm = outcome->norm;
  record.rate = outcome->rate;
  Trainer::Amount amount = trainer.amountOfStep();
  record.perSecond = static_cast<double>(amount.count) / std::max(stepSeconds, 1e-9);
  record.unit = amount.unit;
  bool last = step == settings.steps;
  if (settings.evaluateEvery == 0 || (!last && step % settings.evaluateEvery != 0))
    return record;
  Result<std::optional<Measures>> validation = trainer.evaluate();
  if (!validation)
    return validation.error();
  record.validation = std::move(*validation);
  return record;
}

/// The log to the output, where that is asked for. Where its
/// reader has closed it the training goes on: what is in --out is whole.
Status TrainingSession::print(const std::string &line) {
  if (!settings.logJson || !outputIsRead || (puts(line.c_str()) >= 0 && fflush(stdout) == 0))
    return success();
  if (errno != EPIPE && errno != EIO) // EIO: of a terminal that was closed
    return Error{Code::File, text("cannot write the log to the output: %s", strerror(errno))};
  outputIsRead = false;
  __fpurge(stdout);
  clearerr(stdout);
  return success();
}

Result<int> TrainingSession::loop(Trainer &trainer, TrainingLog &log, Progress &progress) {
  Interrupt interrupt;
  Clock::time_point start = Clock::now();
  for (int64_t step = resumed ? resumed->step + 1 : 1; step <= settings.steps; ++step) {
    Result<StepRecord> record = takeStep(trainer, step);
    if (!record)
      return record.error();
    bool last = step == settings.steps, stopping = Interrupt::received() || step == settings.stopAt;
    record->seconds = since(start);
    Result<std::string> line = log.add(*record);
    if (!line)
      return line.error();
    bool due = last || stopping || step % settings.checkpointEvery == 0;
    if (due)
      if (Status status = save(step, log); !status)
        return status.error();
    // after the checkpoint: the reader of the output may have closed it
    progress.show(*record);
    if (Status printed = print(*line); !printed) {
      Status status = due ? success() : save(step, log);
      return status ? printed.error() : status.error();
    }
    if (stopping && !last) {
      progress.say(text("stopped after step %lld of %lld; go on with: %s", wide(step),
                        wide(settings.steps), resumption().c_str()));
      return Interrupt::received() ? 128 + Interrupt::received() : 0;
    }
  }
  progress.say(text("done in %s: %s; %s/step-%lld, %s/loss.svg", durationText(since(start)).c_str(),
                    progress.losses().c_str(), settings.out.c_str(), wide(settings.steps),
                    settings.out.c_str()));
  return 0;
}

Result<int> TrainingSession::run() {
  BrokenPipeIsError pipes;
  Result<int> code = train();
  if (!code) // a start that fails leaves nothing
    removeMadeFolders(made);
  return code;
}

Result<int> TrainingSession::train() {
  if (Status status = checkTrains(); !status)
    return status.error();
  for (auto prepare : {&TrainingSession::readSettings, &TrainingSession::chooseTraining,
                       &TrainingSession::compareModel, &TrainingSession::initializeParameters,
                       &TrainingSession::openBatches, &TrainingSession::compareData,
                       &TrainingSession::restoreParameters})
    if (Status status = (this->*prepare)(); !status)
      return status.error();
  int64_t done = resumed ? resumed->step : 0;
  Progress progress(training->metrics, done + 1, settings.steps, settings.quiet);
  if (done >= settings.steps) {
    progress.say(text("%s is at step %lld already; --steps is the total", resumed->path.c_str(),
                      wide(done)));
    return 0;
  }
  Result<std::unique_ptr<Trainer>> trainer = Trainer::create(model, *training, *data, settings);
  if (!trainer)
    return trainer.error();
  std::vector<NamedOutput> files; // beside the checkpoints, which are new folders
  for (const char *name : {"/log.jsonl", "/loss.svg"})
    files.push_back({"out", settings.out + name});
  if (Status status = ReadFiles::checkOutputs(files); !status)
    return status.error();
  if (Status status = takeFolder(); !status) // last: what is wrong so far touches nothing
    return status.error();
  Result<TrainingLog> log = TrainingLog::open(settings.out, training->metrics, done);
  if (!log)
    return log.error();
  progress.remember(log->records());
  progress.say(firstLine());
  if (!model.device)
    progress.say("memory: " + (*trainer)->memoryExpected().text());
  if (data->validationRows() == 0 && settings.evaluateEvery > 0)
    progress.say("no validation: the data has nothing held out for it");
  if (resumed)
    progress.say(text("going on from %s", resumed->path.c_str()));
  Result<int> ended = loop(**trainer, *log, progress);
  if (ended)
    return ended;
  progress.clear();
  return Error{ended.error().code, ended.error().message + whatIsLeft(ended.error().code)};
}
