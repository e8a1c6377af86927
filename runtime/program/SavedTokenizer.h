// The tokenizer that goes with the weights of a run.
#ifndef WEFT_RUNTIME_PROGRAM_SAVEDTOKENIZER_H
#define WEFT_RUNTIME_PROGRAM_SAVEDTOKENIZER_H

#include "runtime/options/Options.h"
#include "runtime/text/tokenizers/Tokenizer.h"
#include "runtime/training/checkpoint/LoadWeights.h"

namespace weft::runtime {

/// The one that `option` names, else what lies beside the weights as `file`; nullptr: there is
/// none. Errors: it is broken, or does not fit `vocabulary`.
Result<TokenizerPtr> savedTokenizer(const LoadedWeights &loaded, const Options &options,
                                    const Dimension &vocabulary, const char *file = tokenizerFile,
                                    const char *option = "tokenizer");

} // namespace weft::runtime
#endif
