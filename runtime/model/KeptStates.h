// The states of a model (running means) as they were before a run that may not come to its end.
#ifndef WEFT_RUNTIME_MODEL_KEPTSTATES_H
#define WEFT_RUNTIME_MODEL_KEPTSTATES_H

#include "runtime/model/Model.h"

namespace weft::runtime {

/// Copies of all states, which are small: a run of training writes them beside its results.
class KeptStates {
public:
  /// `model` must outlive it; nullptr keeps nothing.
  explicit KeptStates(Model *model);
  void restore();

private:
  Model *model;
  std::vector<std::pair<int, std::string>> values; // by number of parameter
};

} // namespace weft::runtime
#endif
