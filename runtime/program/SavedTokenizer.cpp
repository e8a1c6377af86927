// Choosing a tokenizer.
#include "runtime/program/SavedTokenizer.h"

#include "runtime/text/FitsModel.h"
#include "runtime/text/OpenTokenizer.h"

using namespace weft::runtime;

Result<TokenizerPtr> weft::runtime::savedTokenizer(const LoadedWeights &loaded,
                                                   const Options &options,
                                                   const Dimension &vocabulary, const char *file,
                                                   const char *option) {
  bool isGiven = options.has(option);
  Result<TokenizerPtr> tokenizer =
      isGiven ? tokenizerWithoutText(options.string(option)) : loaded.tokenizer(file);
  if (!tokenizer || !*tokenizer)
    return tokenizer;
  std::string origin = isGiven ? text("--%s %s", option, options.string(option).c_str())
                               : keptTokenizerPlace(loaded.checkpoint, file);
  Status fits = fitsModel(**tokenizer, vocabulary, origin,
                          file == sourceTokenizerFile ? Side::Source : Side::Other);
  return fits ? std::move(tokenizer) : fits.error();
}
