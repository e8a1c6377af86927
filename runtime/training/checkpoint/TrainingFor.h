// Which of a program's trainings is meant.
#ifndef WEFT_RUNTIME_TRAINING_CHECKPOINT_TRAININGFOR_H
#define WEFT_RUNTIME_TRAINING_CHECKPOINT_TRAININGFOR_H

#include "runtime/base/Json.h"
#include "runtime/model/Facts.h"

namespace weft::runtime {

/// The training called `name`; where that is empty the one that a checkpoint of this `state` is of,
/// or the only one. There is at least one. Errors: none is called so (Name); nothing says which
/// (Usage), and `option` is how it is said.
Result<const Training *> trainingFor(const std::vector<Training> &trainings,
                                     const std::string &name, const Json &state,
                                     const char *option);

} // namespace weft::runtime
#endif
