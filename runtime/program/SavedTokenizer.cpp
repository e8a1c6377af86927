// Choosing a tokenizer.
#include "runtime/program/SavedTokenizer.h"

using namespace weft::runtime;

Result<TokenizerPtr> weft::runtime::savedTokenizer(const Model &model, const LoadedWeights &loaded,
                                                   const Options &options,
                                                   const char *weightsOption) {
  std::string path = options.string("tokenizer", loaded.file("tokenizer.json"));
  if (!path.empty())
    return tokenizerWithoutText(path);
  if (!options.has(weightsOption) && model.carried && !model.carried->tokenizer().empty())
    return tokenizerFromText(model.carried->tokenizer());
  return TokenizerPtr();
}
