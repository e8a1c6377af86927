// Choosing a tokenizer.
#include "runtime/program/SavedTokenizer.h"

using namespace weft::runtime;

Result<TokenizerPtr> weft::runtime::savedTokenizer(const LoadedWeights &loaded,
                                                   const Options &options, const char *file,
                                                   const char *option) {
  return options.has(option) ? tokenizerWithoutText(options.string(option))
                             : loaded.tokenizer(file);
}
