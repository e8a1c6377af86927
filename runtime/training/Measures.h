// What an entry with a loss gives: the loss, and what is measured beside it.
#ifndef WEFT_RUNTIME_TRAINING_MEASURES_H
#define WEFT_RUNTIME_TRAINING_MEASURES_H

#include "runtime/model/EntryRun.h"

namespace weft::runtime {

/// `metrics` in the order of Training::metrics. `count`: of how many values these are the means,
/// where the loss says it, with a result of that name.
struct Measures {
  double loss = 0;
  std::vector<double> metrics;
  std::optional<double> count;
  /// Adds `share` of what `other` measured; of a share of 0 nothing, be it NaN: a mean over
  /// nothing.
  void add(const Measures &other, double share);
  /// NaN for all: means over nothing, whatever the loss makes of them.
  void forget();
};

/// What the last run of a loss, or of its gradient, gave: its numbers that are no gradients, the
/// first of which is the loss. Errors: there is none (Internal); `count` is below 0 or no number.
Result<Measures> measuresOf(const EntryRun &run);

/// "0.9312"; of what could not be measured, "-".
std::string measureText(double value);
/// "accuracy 0.9312  recall 0.8", separated by `between`; nothing where there are no metrics.
std::string metricsText(const std::vector<std::string> &names, const Measures &measures,
                        const char *between);

} // namespace weft::runtime
#endif
