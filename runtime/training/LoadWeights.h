// The weights of a training or of a file, for those who use a trained model.
#ifndef WEFT_RUNTIME_TRAINING_LOADWEIGHTS_H
#define WEFT_RUNTIME_TRAINING_LOADWEIGHTS_H

#include "runtime/parameters/Parameters.h"

namespace weft::runtime {

/// Loads a training's newest checkpoint, one checkpoint, or a file of weights. Gives the path of
/// the tokenizer that was saved with them, or "".
Result<std::string> loadWeights(Parameters &parameters, const std::string &checkpoint);

} // namespace weft::runtime
#endif
