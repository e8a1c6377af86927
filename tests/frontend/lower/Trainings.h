// Trainings that were recorded step by step.
#pragma once

#include "Systems.h"

namespace weft::test {

/// A training of the record: losses, gradient norms, rates, and the parameters after the last step.
struct RecordedTraining {
  System system;
  /// Parameters whose gradient is zero in exact arithmetic: Adam makes steps of its rounding.
  std::vector<std::string> noise;
  double divisor = 1; ///< of inputs that are floats: images are recorded as bytes

  bool isNoise(llvm::StringRef parameter) const;
};

void PrintTo(const RecordedTraining &training, std::ostream *out);

RecordedTraining recordedGpt();
RecordedTraining recordedTranslation();
RecordedTraining recordedImages();

/// How far a replayed training is from the record.
struct Deviation {
  double loss = 0, norm = 0, rate = 0, parameters = 0; ///< the largest; all but the rate relative

  /// Compares the figures of one step.
  void add(const Tensors &record, int64_t step, double loss, double norm, double rate);
  std::string text() const;
};

} // namespace weft::test
