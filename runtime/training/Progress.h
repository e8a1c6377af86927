// How a training shows itself: a bar on a terminal, plain lines elsewhere.
#ifndef WEFT_RUNTIME_TRAINING_PROGRESS_H
#define WEFT_RUNTIME_TRAINING_PROGRESS_H

#include "runtime/training/TrainingLog.h"

namespace weft::runtime {

/// Writes to standard error, until nobody reads it. Standard output stays free for `--log json`.
class Progress {
public:
  /// `metrics` are the names of what is measured beside the loss.
  Progress(const std::vector<std::string> &metrics, int64_t firstStep, int64_t steps, bool quiet);
  /// What was measured before a training was taken up again: smoothing goes on from there.
  void remember(const std::vector<StepRecord> &before);
  /// After every step. On a terminal the bar is drawn anew ten times a second; elsewhere there is a
  /// line for every twentieth of the way and for every evaluation.
  void show(const StepRecord &record);
  /// Takes the bar away, to leave room for a line of text.
  void clear();
  /// "loss 2.2081, accuracy 0.91, validation 2.7143 (accuracy 0.87)": smoothed, and the last that
  /// was measured.
  std::string losses() const;
  /// A line of text, unless quiet.
  void say(const std::string &line);

private:
  void note(const StepRecord &record);
  void put(const std::string &text);
  void drawBar(const StepRecord &record, double secondsLeft);
  std::string numbers(const std::optional<Measures> &validation, const char *between,
                      const char *name) const;
  std::vector<std::string> metrics;
  int64_t first, steps;
  bool quiet, terminal, drawn = false;
  double lastDrawn = -1;
  std::optional<Measures> smooth; // none before the first step
  std::optional<Measures> validation;
};

/// "1:07", "2:03:00"
std::string durationText(double seconds);
/// "18.2k"
std::string rateText(double perSecond);

} // namespace weft::runtime
#endif
