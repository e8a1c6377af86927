// The tokenizer that goes with the weights of a run.
#ifndef WEFT_RUNTIME_PROGRAM_SAVEDTOKENIZER_H
#define WEFT_RUNTIME_PROGRAM_SAVEDTOKENIZER_H

#include "runtime/program/Options.h"
#include "runtime/tokenizers/Tokenizer.h"
#include "runtime/training/LoadWeights.h"

namespace weft::runtime {

/// --tokenizer, else the one saved beside the weights, else, where the weights are the program's
/// own (`weightsOption` is not given), the one that the program carries. nullptr: there is none.
Result<TokenizerPtr> savedTokenizer(const Model &model, const LoadedWeights &loaded,
                                    const Options &options, const char *weightsOption);

} // namespace weft::runtime
#endif
