// The options of a search for the most likely continuation, of `generate` and `eval`.
#ifndef WEFT_RUNTIME_PROGRAM_SEARCHOPTIONS_H
#define WEFT_RUNTIME_PROGRAM_SEARCHOPTIONS_H

#include "runtime/generation/Search.h"
#include "runtime/options/Options.h"

namespace weft::runtime {

/// The decoding that --entry names, or the first.
Result<const Decoding *> chooseDecoding(const Facts &facts, const Options &options);

/// How many tokens a decoding makes, unless asked otherwise.
int64_t usualTokens(const Decoding &decoding);

/// --beam and --length-penalty; as many tokens as are usual.
Result<SearchSettings> readSearch(const Options &options, const Decoding &decoding);

} // namespace weft::runtime
#endif
