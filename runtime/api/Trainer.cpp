// Training steps through the C interface: the batches are the caller's.
#include "runtime/api/Trainer.h"

#include "runtime/model/KeptStates.h"
#include "runtime/training/checkpoint/CheckpointState.h"

#include <cmath>

using namespace weft::runtime;

/// The training of this name; the first where `name` is NULL.
static Result<const Training *> findTraining(const Facts &facts, const char *name) {
  if (!facts.trainings.empty() && !facts.trains())
    return Error{Code::Name, "this model cannot be trained: it was built with --inference"};
  std::vector<std::string> names;
  for (const Training &training : facts.trainings) {
    if (!name || training.name == name)
      return &training;
    names.push_back(training.name);
  }
  return Error{Code::Name, names.empty() ? "this model has no entry made by `minimize`"
                                         : text("no training `%s`; this model has %s", name,
                                                listed(names).c_str())};
}

static Result<WeftTrainer *> open(const std::shared_ptr<Opened> &opened, const char *name,
                                  int64_t steps, uint64_t seed) {
  Model &model = *opened->model;
  Result<const Training *> training = findTraining(model.facts, name);
  if (!training)
    return training.error();
  if (steps < 1 || steps > mostOfASetting)
    return Error{Code::Usage, text("a training of %lld steps: expected 1 to %lld", wide(steps),
                                   wide(mostOfASetting))};
  return new WeftTrainer{opened,
                         **training,
                         {opened, EntryRun(model, (*training)->gradient), /*isBatch=*/true},
                         Update(model, **training),
                         steps,
                         seed};
}

WeftTrainer *weft_trainer_open(WeftModel *model, const char *training, int64_t steps,
                               uint64_t seed) {
  return callOn<WeftTrainer *>("weft_trainer_open", nullptr, model, {{"model", model}},
                               [&] { return open(model->opened, training, steps, seed); });
}

void weft_trainer_close(WeftTrainer *trainer) {
  delete trainer;
}

WeftRun *weft_trainer_batch(WeftTrainer *trainer) {
  return callOn<WeftRun *>("weft_trainer_batch", nullptr, trainer, {{"trainer", trainer}},
                           [&] { return Result<WeftRun *>(&trainer->gradient); });
}

int64_t weft_trainer_steps_taken(const WeftTrainer *trainer) {
  return callOn<int64_t>("weft_trainer_steps_taken", -1, trainer, {{"trainer", trainer}},
                         [&] { return Result<int64_t>(trainer->step); });
}

/// The gradients of the batch, and the numbers of its loss that are looked at before the update.
static Result<double> lossOf(WeftTrainer &trainer, int64_t step) {
  EntryRun &run = trainer.gradient.run;
  // `random` counts as in `OUT train`
  if (Status status = run.run(trainer.seed, static_cast<uint64_t>(step - 1)); !status)
    return status.error();
  Result<Measures> measures = measuresOf(run);
  if (!measures)
    return measures.error();
  if (!std::isfinite(measures->loss))
    return diverged("loss", step, measures->loss);
  return measures->loss;
}

/// The numbers of a step, or why there are none.
static Result<WeftStep> takeStep(WeftTrainer &trainer) {
  WeftRun &gradient = trainer.gradient;
  if (!gradient.allocated)
    return Error{Code::Usage, "weft_run_allocate() of the trainer's batch comes first"};
  if (trainer.step == trainer.steps)
    return Error{Code::Usage, text("the training of %lld steps is over", wide(trainer.steps))};
  if (trainer.bound != gradient.allocations)
    if (Status status = trainer.update.bind(gradient.run); !status)
      return status.error();
  trainer.bound = gradient.allocations;
  int64_t step = trainer.step + 1;
  Model &model = *trainer.opened->model;
  KeptStates states(model, gradient.run.entry().writes);
  if (Status status = states.keep(); !status)
    return status.error();
  Result<double> loss = lossOf(trainer, step);
  Result<Update::Outcome> updated = loss ? trainer.update.apply(trainer.seed, step, trainer.steps)
                                         : Result<Update::Outcome>(loss.error());
  if (!updated) {
    states.restore();
    return updated.error();
  }
  trainer.step = step;
  return WeftStep{0, *loss, updated->norm, updated->rate};
}

WeftStatus weft_trainer_step(WeftTrainer *trainer, WeftStep *step) {
  auto body = [&]() -> Status {
    if (Status status = step ? checkSize("step", step->size, firstSize<WeftStep>) : success();
        !status)
      return status;
    Result<WeftStep> taken = takeStep(*trainer);
    if (!taken)
      return taken.error();
    if (step)
      give(*taken, *step);
    return success();
  };
  return statusCallOn("weft_trainer_step", trainer, {{"trainer", trainer}}, body);
}
