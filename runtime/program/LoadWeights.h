// The weights that `--checkpoint` names, for the commands that use a trained model.
#ifndef WEFT_RUNTIME_PROGRAM_LOADWEIGHTS_H
#define WEFT_RUNTIME_PROGRAM_LOADWEIGHTS_H

#include "runtime/model/Model.h"
#include "runtime/program/Options.h"

namespace weft::runtime {

/// Loads a training's newest checkpoint, one checkpoint, or a file of weights. Gives the path of
/// the tokenizer that was saved with them, or "".
Result<std::string> loadWeights(Model &model, const std::string &checkpoint);

/// The option itself, for the tables of commands.
inline OptionSpec checkpointOption() {
  return {"checkpoint", "PATH",
          "a training's folder, one of its checkpoints, or a file of weights"};
}

} // namespace weft::runtime
#endif
