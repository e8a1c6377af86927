// What an entry with a loss gives: the loss, and what is measured beside it.
#ifndef WEFT_RUNTIME_TRAINING_MEASURES_H
#define WEFT_RUNTIME_TRAINING_MEASURES_H

#include "runtime/model/EntryRun.h"

namespace weft::runtime {

/// `metrics` in the order of Training::metrics.
struct Measures {
  double loss = 0;
  std::vector<double> metrics;
  /// Adds `share` of what `other` measured.
  void add(const Measures &other, double share);
};

/// What the last run of a loss, or of its gradient, gave: its numbers that are no gradients, the
/// first of which is the loss. Error: there is none (Internal).
Result<Measures> measuresOf(const EntryRun &run);

/// "accuracy 0.9312  recall 0.8", separated by `between`; nothing where there are no metrics.
std::string metricsText(const std::vector<std::string> &names, const Measures &measures,
                        const char *between);

} // namespace weft::runtime
#endif
