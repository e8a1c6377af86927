// Training steps: gradients of a batch, in parts if asked, then the update that the program holds.
#ifndef WEFT_RUNTIME_TRAINING_TRAINER_H
#define WEFT_RUNTIME_TRAINING_TRAINER_H

#include "runtime/data/DataSource.h"
#include "runtime/training/Evaluation.h"
#include "runtime/training/Settings.h"
#include "runtime/training/Update.h"
#include "runtime/training/arithmetic/Arithmetic.h"

namespace weft::runtime {

class Trainer {
public:
  /// `unit`: "tokens", "images" or "rows".
  struct Amount {
    int64_t count;
    const char *unit;
  };
  struct Outcome {
    Measures measures;
    double norm, rate;
  };

  /// Allocates everything. `settings` has the batch that the data has.
  static Result<std::unique_ptr<Trainer>> create(Model &model, const Training &training,
                                                 const DataSource &data,
                                                 const TrainSettings &settings);
  /// One step, counted from 1. The gradient is the mean over the parts of the batch, so the model's
  /// loss must be a mean. Parts weigh as much as their `count` says, where the loss gives one, and
  /// else the same.
  Result<Outcome> step(int64_t step);
  /// The means on the validation part, or a sample of it that does not depend on the parts of a
  /// batch; nothing where there is none.
  Result<std::optional<Measures>> evaluate();
  /// How much a step is, by which speeds are told: its tokens, or else its rows.
  Amount amountOfStep() const;
  /// Bytes of work space: gradients, intermediate values, packed weights.
  int64_t memory() const;
  /// What the process will have of this machine's memory, found before anything was taken; nothing
  /// where a device computes.
  const MemoryUse &memoryExpected() const { return expected; }

private:
  Trainer(Model &model, const Training &training, const DataSource &data,
          const TrainSettings &settings);
  Status checkMemory();
  Status checkMachine();
  std::string adviceFor(int64_t fits, int64_t room,
                        const std::function<int64_t(int64_t, bool)> &bytesOf) const;
  int64_t bytesWith(int64_t rows, bool inParts) const;
  Status prepareGradient();
  Status prepareUpdate();
  Status prepareEvaluation();
  Result<Measures> runPart(int64_t step, int64_t part);
  Status fill(int64_t step, int64_t part);
  void stageBehind(int64_t step, int64_t part);
  Model &model;
  const Training &training;
  const DataSource &data;
  const TrainSettings settings;
  EntryRun gradient;
  Update update;
  std::optional<Evaluation> evaluation;
  std::vector<Mirror> sums; // of gradients, by output; where a batch has parts
  std::vector<Floats> gradients, summed;
  Arithmetic arithmetic;
  MemoryUse expected;
  std::pair<int64_t, int64_t> staged{-1, -1}; // the step and part that the inputs hold
};

} // namespace weft::runtime
#endif
