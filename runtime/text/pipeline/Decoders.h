// From tokens to text: `decoder` of tokenizer.json.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_DECODERS_H
#define WEFT_RUNTIME_TEXT_PIPELINE_DECODERS_H

#include "runtime/text/tokenizers/Section.h"
#include "runtime/text/tokenizers/Tokenizer.h"

#include <functional>

namespace weft::runtime {

/// The text of one token where it stands.
using DecodeStep = std::function<std::string(const std::string &, Place)>;

/// ByteFallback, ByteLevel, Fuse, Metaspace, Replace, Sequence, Strip (of the whole text's
/// beginning), WordPiece. Without a section, words are put side by side with spaces. Errors: any
/// other.
Result<DecodeStep> decoderFrom(const Section &section);

} // namespace weft::runtime
#endif
