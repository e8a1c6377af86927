// `OUT train`: train the model, or go on.
#include "runtime/data/OpenData.h"
#include "runtime/program/Command.h"
#include "runtime/training/TrainingSession.h"

using namespace weft::runtime;

static Result<int> train(Model &model, const Options &options) {
  return TrainingSession(model, options).run();
}

Command weft::runtime::trainCommand() {
  return {
      "train",
      "train the model",
      "Trains and writes checkpoints. --out DIR gets step-N (the two newest), log.jsonl "
      "and loss.svg.\n"
      "Ctrl-C finishes the step, writes a checkpoint and stops; --resume goes on from the "
      "newest one, bit by bit as if\n"
      "nothing had happened. With --resume, what is not given is as before.",
      withDataOptions(
          {dataOption(),
           {"steps", "N", "steps in all, also with --resume"},
           {"epochs", "N", "the same in rounds through the data"},
           {"batch", "B", "rows of a step (default 8)"},
           {"accumulate", "K", "compute a batch in K parts, to need less memory"},
           {"seed", "N", "of initial values, order of data and random numbers (default 0)"},
           {"init", "PATH",
            "weights to start from, as --checkpoint of `generate`, with the vocabulary beside "
            "them"},
           {"out", "DIR", "where everything goes"},
           {"resume", "", "go on from the newest checkpoint in --out"},
           {"stop-at", "N", "write a checkpoint after step N and stop, as Ctrl-C does"},
           {"checkpoint-every", "N", "steps between checkpoints (default 100)"},
           {"eval-every", "N", "steps between validations, 0 for none (default 50, or an epoch)"},
           {"eval-batches", "N",
            "batches of a validation (default 8), spread over what is held out; all of it\n"
            "if it has no more"},
           {"entry", "NAME",
            "which training, where the model has several (with --resume: the same)"},
           {"log", "json", "the log, a JSON line per step, to standard output too"},
           {"quiet", "", "no progress"}}),
      train,
      true,
      takesDataOption,
      [](const Facts &facts) { return facts.trains(); }};
}
