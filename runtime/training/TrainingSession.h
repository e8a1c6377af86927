// One training, from opening its folder to its last checkpoint.
#ifndef WEFT_RUNTIME_TRAINING_TRAININGSESSION_H
#define WEFT_RUNTIME_TRAINING_TRAININGSESSION_H

#include "runtime/training/Progress.h"
#include "runtime/training/Trainer.h"
#include "runtime/training/checkpoint/Checkpoint.h"

namespace weft::runtime {

class FolderLock;

/// What `OUT train` does. `model` and `options` must outlive it.
class TrainingSession {
public:
  TrainingSession(Model &model, const Options &options);
  ~TrainingSession();
  /// Gives the exit code: 0, or 128 and the signal that stopped it. After an error, what --out held
  /// is still whole.
  Result<int> run();

private:
  Status readSettings();
  Status takeFolder();
  Status checkTrains() const;
  Status chooseTraining();
  Status openBatches();
  Status countSteps();
  Status initializeParameters();
  Status restoreParameters();
  Status compareModel();
  Status compareData();
  Json state(int64_t step) const;
  Status save(int64_t step, const TrainingLog &log) const;
  Result<StepRecord> takeStep(Trainer &trainer, int64_t step);
  Status print(const std::string &line);
  Result<int> loop(Trainer &trainer, TrainingLog &log, Progress &progress);
  Result<int> train();
  std::string firstLine() const;
  std::string resumption() const;
  std::string whatIsLeft(Code code) const;
  Model &model;
  const Options &options;
  TrainSettings settings;
  std::unique_ptr<FolderLock> lock;
  std::vector<std::string> made; // folders, for --out
  std::optional<Checkpoint> resumed;
  const Training *training = nullptr;
  std::string vocabulary; // the checkpoint of --init, where its tokenizers are used; else ""
  std::unique_ptr<DataSource> data;
  double stepSeconds = 0;   // of a step, smoothed; 0 before the first
  bool outputIsRead = true; // until its reader closes it
};

} // namespace weft::runtime
#endif
