// The tokenizers that lie beside weights: in a checkpoint's folder, or in the program itself.
#ifndef WEFT_RUNTIME_TEXT_KEPTTOKENIZER_H
#define WEFT_RUNTIME_TEXT_KEPTTOKENIZER_H

#include "runtime/model/Carried.h"
#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// What they are called in both places: that of a text or a target, and that of sources.
inline constexpr char tokenizerFile[] = "tokenizer.json",
                      sourceTokenizerFile[] = "source-tokenizer.json";

/// Where the one called `name` is, for messages.
std::string keptTokenizerPlace(const std::string &checkpoint, const char *name);

/// The one called `name` in the folder `checkpoint`, or where that is "" among what `carried` has
/// (nullptr: nothing). nullptr: it is not there.
Result<TokenizerPtr> keptTokenizer(const std::string &checkpoint, const CarriedFile *carried,
                                   const char *name);

} // namespace weft::runtime
#endif
