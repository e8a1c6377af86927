// What a training is asked to do, and what of it a resumed one must share.
#ifndef WEFT_RUNTIME_TRAINING_SETTINGS_H
#define WEFT_RUNTIME_TRAINING_SETTINGS_H

#include "runtime/base/Json.h"
#include "runtime/options/Options.h"

namespace weft::runtime {

struct TrainSettings {
  static constexpr int64_t unsaid = -1; // evaluateEvery: 50, or an epoch where epochs were given
  std::string data, out, initial;       // initial: a file of weights to start from
  std::map<std::string, std::string> dataOptions;
  int64_t steps = 0;      // in all, also when resumed; 0: as many as the epochs have
  int64_t epochs = 0;     // where they were given instead
  int64_t stopAt = 0;     // stop after this step as if interrupted; 0: do not
  int64_t batch = 0;      // rows of one step
  int64_t accumulate = 1; // the parts that a batch is computed in
  uint64_t seed = 0;
  int64_t evaluateEvery = unsaid, evaluateBatches = 8, checkpointEvery = 100;
  bool resume = false, logJson = false, quiet = false;
};

/// Reads the options of `train`. `resumed` is the state of the checkpoint to go on from, or null:
/// it fills in what was not given, and what was given must agree with it.
Result<TrainSettings> readTrainSettings(const Options &options, const Json &resumed);

/// The options of the data that a training had, from the state of its checkpoint.
std::map<std::string, std::string> trainingDataOptions(const Json &state);

/// The part of a checkpoint's state that settings are.
Json settingsJson(const TrainSettings &settings);

} // namespace weft::runtime
#endif
