// The weights of a training or of a file, for those who use a trained model.
#ifndef WEFT_RUNTIME_TRAINING_LOADWEIGHTS_H
#define WEFT_RUNTIME_TRAINING_LOADWEIGHTS_H

#include "runtime/json/Json.h"
#include "runtime/model/Model.h"

namespace weft::runtime {

/// What lies beside the weights that were loaded.
struct LoadedWeights {
  std::string checkpoint; // its folder; "" for a file of weights
  Json state;             // of the checkpoint; empty for an import, null for a file
  /// The path of a file of the checkpoint ("tokenizer.json"); "" where there is none.
  std::string file(const char *name) const;
};

/// Loads a training's newest checkpoint, one checkpoint, what `weft import` made, or a file of
/// weights.
Result<LoadedWeights> loadWeights(Parameters &parameters, const std::string &path);

/// The same, or where `path` is empty what the program carries, which is there already. Usage
/// error: it carries nothing; `option` is how weights are given.
Result<LoadedWeights> loadOrCarried(Model &model, const std::string &path, const char *option);

} // namespace weft::runtime
#endif
