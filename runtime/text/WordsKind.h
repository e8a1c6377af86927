// The kind `words`, a vocabulary of whole words, in programs that have it (libweft_translation.a).
#ifndef WEFT_RUNTIME_TEXT_WORDSKIND_H
#define WEFT_RUNTIME_TEXT_WORDSKIND_H

#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// Whether this program has it.
bool readsWords();

/// A vocabulary with a token on each line, in the order of ids, as other projects keep them. Marks
/// go by their usual names (<s> or <bos>, </s> or <eos>, <blank> or <pad>, <unk>); where there is
/// no <unk>, it is the id behind the last. Sentences are taken as they are: split at spaces, not
/// closed.
Result<TokenizerPtr> wordsFromFile(const std::string &path);

/// Of a checkpoint; errors are without the file's name.
Result<TokenizerPtr> wordsFromJson(const Json &json);

} // namespace weft::runtime
#endif
