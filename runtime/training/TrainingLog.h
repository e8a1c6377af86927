// The log of a training: a JSON line per step in `log.jsonl`, and the curve drawn of it.
#ifndef WEFT_RUNTIME_TRAINING_TRAININGLOG_H
#define WEFT_RUNTIME_TRAINING_TRAININGLOG_H

#include "runtime/training/Measures.h"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace weft::runtime {

struct StepRecord {
  int64_t step = 0;
  Measures training;
  std::optional<Measures> validation; // means on the validation part, where they were taken
  double norm = 0, rate = 0;          // of the gradient before clipping; the learning rate
  double perSecond = 0, seconds = 0;  // since this training, or its resumption, began
  const char *unit = "tokens";        // what there are so many of per second
};

class TrainingLog {
public:
  /// Opens `folder`/log.jsonl; lines after `resumedAt` (0: all) are dropped when the first is
  /// added, and till then nothing is written. `metrics` are the names of what is measured beside
  /// the loss.
  static Result<TrainingLog> open(const std::string &folder,
                                  const std::vector<std::string> &metrics, int64_t resumedAt);
  ~TrainingLog();
  TrainingLog(TrainingLog &&other)
      : folder(std::move(other.folder)), metrics(std::move(other.metrics)),
        kept(std::move(other.kept)), file(std::exchange(other.file, nullptr)),
        all(std::move(other.all)) {}

  /// Appends a line and gives it back, without its newline.
  Result<std::string> add(const StepRecord &record);
  /// Draws all steps so far into `folder`/loss.svg.
  Status draw(const std::string &title) const;
  const std::vector<StepRecord> &records() const { return all; }

private:
  TrainingLog() = default;
  Status begin();
  std::string folder;
  std::vector<std::string> metrics;
  std::string kept; // lines of before
  FILE *file = nullptr;
  std::vector<StepRecord> all;
};

/// A self-contained SVG of training and validation by step, legible on light and dark ground: the
/// loss, and below it a panel for each metric.
std::string lossCurve(const std::vector<StepRecord> &records,
                      const std::vector<std::string> &metrics, const std::string &title);

} // namespace weft::runtime
#endif
