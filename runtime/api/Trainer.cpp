// Training steps through the C interface: the batches are the caller's.
#include "runtime/training/Trainer.h"
#include "runtime/api/Run.h"

#include <cmath>

using namespace weft::runtime;

struct WeftTrainer {
  WeftRun gradient;
  Update update;
  int64_t steps;
  uint64_t seed;
  int bound = 0; // the allocation of `gradient` that `update` reads
  int64_t step = 0;
};

/// The training of this name; the first where `name` is NULL.
static Result<const Training *> findTraining(const Facts &facts, const char *name) {
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

WeftTrainer *weft_trainer_open(WeftModel *model, const char *training, int64_t steps,
                               uint64_t seed) {
  Model &opened = *model->model;
  Result<const Training *> found = findTraining(opened.facts, training);
  if (!found || steps < 1) {
    fail(found ? Error{Code::Usage,
                       text("a training of %lld steps: expected at least 1", wide(steps))}
               : found.error());
    return nullptr;
  }
  return new WeftTrainer{
      {opened, EntryRun(opened, (*found)->gradient)}, Update(opened, **found), steps, seed};
}

void weft_trainer_close(WeftTrainer *trainer) {
  delete trainer;
}

WeftRun *weft_trainer_batch(WeftTrainer *trainer) {
  return &trainer->gradient;
}

int64_t weft_trainer_steps_taken(const WeftTrainer *trainer) {
  return trainer->step;
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
  // `random` counts as in `OUT train`
  if (Status status = gradient.run.run(trainer.seed, static_cast<uint64_t>(step - 1)); !status)
    return status.error();
  Result<Measures> measures = measuresOf(gradient.run);
  if (!measures)
    return measures.error();
  double loss = measures->loss;
  if (!std::isfinite(loss))
    return diverged("loss", step, loss);
  Result<Update::Outcome> updated = trainer.update.apply(trainer.seed, step, trainer.steps);
  if (!updated)
    return updated.error();
  trainer.step = step;
  return WeftStep{loss, updated->norm, updated->rate};
}

WeftStatus weft_trainer_step(WeftTrainer *trainer, WeftStep *step) {
  Result<WeftStep> taken = takeStep(*trainer);
  if (!taken)
    return fail(taken.error());
  if (step)
    *step = *taken;
  return WEFT_OK;
}
