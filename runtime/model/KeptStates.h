// States of a model (running means) as they were before a run that may not come to its end.
#ifndef WEFT_RUNTIME_MODEL_KEPTSTATES_H
#define WEFT_RUNTIME_MODEL_KEPTSTATES_H

#include "runtime/model/Model.h"

namespace weft::runtime {

/// Copies of states, which are small: a run of training writes them beside its results. They lie
/// where code runs.
class KeptStates {
public:
  /// Of the parameters of these numbers. `model` must outlive it.
  KeptStates(Model &model, const std::vector<int> &states);
  Status keep();
  /// Puts back what keep() has copied.
  void restore();

private:
  Model *model;
  std::vector<std::pair<int, CodeMemory>> values; // by number of parameter
};

} // namespace weft::runtime
#endif
