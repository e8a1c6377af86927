// The vocabulary in a GGUF file of llama.cpp.
#ifndef WEFT_RUNTIME_TEXT_GGUF_H
#define WEFT_RUNTIME_TEXT_GGUF_H

#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// Of the kinds `llama` (SentencePiece) and `gpt2` (bytes, merged). Errors are without the file's
/// name: another kind; a way to cut texts (`tokenizer.ggml.pre`) that is not known; what does not
/// go together. `gguf` is the file, or its beginning: `isCut` says whether that was too short.
Result<TokenizerPtr> tokenizerFromGguf(std::string_view gguf, bool &isCut);

} // namespace weft::runtime
#endif
