// What a trainer has, to a checkpoint and back.
#include "runtime/api/Trainer.h"

#include "runtime/base/files/Folder.h"
#include "runtime/training/checkpoint/Checkpoint.h"
#include "runtime/training/checkpoint/CheckpointState.h"
#include "runtime/training/checkpoint/MadeWith.h"

using namespace weft::runtime;

/// The state of a training whose data nobody but the caller knows.
static Json stateOf(const WeftTrainer &trainer) {
  TrainSettings settings;
  settings.steps = trainer.steps;
  settings.seed = trainer.seed;
  settings.batch = 1;
  settings.evaluateEvery = 0;
  return jsonObject({{"weft_checkpoint", 1},
                     {"step", trainer.step},
                     {"training", trainer.training.name},
                     {"config", trainer.opened->model->facts.config},
                     {"data_hash", ""},
                     {"settings", settingsJson(settings)}});
}

static Status save(const WeftTrainer &trainer, const std::string &folder) {
  const Model &model = *trainer.opened->model;
  if (Status status = makeFolder(folder); !status)
    return status;
  Result<FolderLock> lock = FolderLock::take(folder); // from a `train` that writes there
  if (!lock)
    return lock.error();
  return saveCheckpoint(folder, trainer.step, model, {}, stateOf(trainer),
                        readsOf(model.facts, trainer.training.name));
}

WeftStatus weft_trainer_save(WeftTrainer *trainer, const char *folder) {
  return statusCallOn("weft_trainer_save", trainer, {{"trainer", trainer}, {"folder", folder}},
                      [&] { return save(*trainer, folder); });
}

/// Whether this trainer can go on from a checkpoint.
static Status fits(const WeftTrainer &trainer, const Checkpoint &found) {
  const char *path = found.path.c_str();
  if (found.state["training"] != trainer.training.name)
    return Error{Code::Value,
                 text("%s: is of the training %s, this one is \"%s\"", path,
                      jsonText(found.state["training"]).c_str(), trainer.training.name.c_str())};
  if (const Json &seed = found.state["settings"]["seed"]; seed != trainer.seed)
    return Error{Code::Value,
                 text("%s: was made with the seed %s, this trainer has %llu", path,
                      jsonText(seed).c_str(), static_cast<unsigned long long>(trainer.seed))};
  if (found.step > trainer.steps)
    return Error{Code::Value, text("%s: is at step %lld, this training has %lld", path,
                                   wide(found.step), wide(trainer.steps))};
  return fitsOptions(found.path, trainer.opened->model->facts, trainer.training.name,
                     Purpose::Resumption);
}

static Status load(WeftTrainer &trainer, const std::string &folder) {
  Result<Checkpoint> found = findCheckpoint(folder);
  if (!found)
    return found.error();
  if (Status status = fits(trainer, *found); !status)
    return status;
  std::string warning = found->warning();
  if (Status status = loadCheckpoint(*found, *trainer.opened->model); !status)
    return status;
  trainer.step = found->step;
  warn(warning);
  return success();
}

WeftStatus weft_trainer_load(WeftTrainer *trainer, const char *folder) {
  return statusCallOn("weft_trainer_load", trainer, {{"trainer", trainer}, {"folder", folder}},
                      [&] { return load(*trainer, folder); });
}
