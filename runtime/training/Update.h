// The second half of a training step: what an optimizer makes of gradients.
#ifndef WEFT_RUNTIME_TRAINING_UPDATE_H
#define WEFT_RUNTIME_TRAINING_UPDATE_H

#include "runtime/model/EntryRun.h"

namespace weft::runtime {

class Update {
public:
  /// `norm`: of all gradients before clipping; `rate`: of learning. 0 where the model has none.
  struct Outcome {
    double norm, rate;
  };

  Update(Model &model, const Training &training) : run(model, training.update) {}

  /// Reads the gradients where `gradient`, which is allocated, writes them; or where `instead` has
  /// memory for that output.
  Status bind(EntryRun &gradient, std::span<Mirror> instead = {});
  /// Changes parameters and the optimizer's states. Steps count from 1; schedules know of `steps`.
  /// Error: a gradient, or the norm of all, that is no number. Then nothing has changed.
  Result<Outcome> apply(uint64_t seed, int64_t step, int64_t steps);
  /// Bytes of work space.
  int64_t memory() const { return run.arenaBytes() + run.packedBytes(); }
  /// Bytes that bind() takes where code runs.
  int64_t bytesToBind() const;
  /// Bytes of all gradients.
  int64_t bytesOfGradients() const;

private:
  EntryRun run;
};

/// The error of a training in which `what` became NaN or infinite.
Error diverged(const char *what, int64_t step, double value);

} // namespace weft::runtime
#endif
