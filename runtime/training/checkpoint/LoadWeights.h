// The weights of a training or of a file, for those who use a trained model.
#ifndef WEFT_RUNTIME_TRAINING_CHECKPOINT_LOADWEIGHTS_H
#define WEFT_RUNTIME_TRAINING_CHECKPOINT_LOADWEIGHTS_H

#include "runtime/base/Json.h"
#include "runtime/model/Model.h"
#include "runtime/text/KeptTokenizer.h"
#include "runtime/training/checkpoint/MadeWith.h"

namespace weft::runtime {

/// What a program carries of the training that its weights are from: the fields `training` and
/// `settings` of a checkpoint's state, as far as those who use the model need them.
inline constexpr char trainingFile[] = "training.json";

/// What lies beside the weights that were loaded.
struct LoadedWeights {
  std::string checkpoint = {};          // its folder; "" for a file of weights
  Json state = {};                      // of the checkpoint; empty for an import, null for a file
  const CarriedFile *carried = nullptr; // what the program carries, where the weights are its own
  std::string warning = {};             // that newer checkpoints are damaged; "" for none
  /// The path of a file of the checkpoint ("tokenizer.json"); "" where there is none.
  std::string file(const char *name) const;
  /// The tokenizer of this name, nullptr where there is none.
  Result<TokenizerPtr> tokenizer(const char *name) const {
    return keptTokenizer(checkpoint, carried, name);
  }
};

/// Loads a training's newest checkpoint, one checkpoint, what `weft import` made, or a file of
/// weights. They are for `entry`: a folder that was made with other options than those which it
/// reads is a Value error. A file of weights says nothing of them. `mapping`: as of
/// Parameters::Source.
Result<LoadedWeights> loadWeights(Parameters &parameters, const std::string &path,
                                  const std::string &entry = anyUse,
                                  Parameters::Mapping mapping = nullptr);

/// The same, with its warning said on standard error; or where `path` is empty what the program
/// carries, which is there already. Usage
/// error: it carries nothing; `option` is how weights are given. They are for `entry`.
Result<LoadedWeights> loadOrCarried(Model &model, const std::string &path, const char *option,
                                    const std::string &entry);

} // namespace weft::runtime
#endif
