// The log of a training: a JSON line per step in `log.jsonl`, and the curve drawn of it.
#ifndef WEFT_RUNTIME_TRAINING_TRAININGLOG_H
#define WEFT_RUNTIME_TRAINING_TRAININGLOG_H

#include "runtime/error/Error.h"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace weft::runtime {

struct StepRecord {
  int64_t step = 0;
  double loss = 0;
  std::optional<double> validation; // mean loss on the validation part, where it was measured
  double norm = 0, rate = 0;        // of the gradient before clipping; the learning rate
  double tokensPerSecond = 0, seconds = 0; // since this training, or its resumption, began
};

class TrainingLog {
public:
  /// Opens `folder`/log.jsonl; lines after `resumedAt` (0: all) are dropped.
  static Result<TrainingLog> open(const std::string &folder, int64_t resumedAt);
  ~TrainingLog();
  TrainingLog(TrainingLog &&other)
      : folder(std::move(other.folder)), file(std::exchange(other.file, nullptr)),
        all(std::move(other.all)) {}

  /// Appends a line and gives it back, without its newline.
  Result<std::string> add(const StepRecord &record);
  /// Draws all steps so far into `folder`/loss.svg.
  Status draw(const std::string &title) const;
  const std::vector<StepRecord> &records() const { return all; }

private:
  TrainingLog() = default;
  std::string folder;
  FILE *file = nullptr;
  std::vector<StepRecord> all;
};

/// A self-contained SVG of training and validation loss by step, legible on light and dark ground.
std::string lossCurve(const std::vector<StepRecord> &records, const std::string &title);

} // namespace weft::runtime
#endif
