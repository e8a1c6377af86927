// A tokenizer from what a command line asks for, or from a file of any known format.
#ifndef WEFT_RUNTIME_TEXT_OPENTOKENIZER_H
#define WEFT_RUNTIME_TEXT_OPENTOKENIZER_H

#include "runtime/model/Facts.h"
#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// Makes what `--tokenizer` asks for: `char`, `byte`, `bpe:N` (trained on `text`), `merges:FILE`
/// (GPT-2's vocab.bpe), or a FILE that readTokenizer() reads. Empty: what suits a model of so many
/// ids. Errors name the file that is wrong: the tokenizer's, or the text's, which is `path`.
Result<TokenizerPtr> makeTokenizer(const std::string &request, std::string_view text,
                                   const std::string &path, const Dimension &vocabulary);

/// The same without a text to learn from: `byte`, `merges:FILE` or a FILE.
Result<TokenizerPtr> tokenizerWithoutText(const std::string &request);

/// A tokenizer from a file, whose format its contents tell: what json() gave, Hugging Face's
/// tokenizer.json, a SentencePiece model, GPT-2's vocab.json (with its merges beside it) or
/// merges.txt, BERT's vocab.txt, llama2.c's tokenizer.bin, the vocabulary of a GGUF file (`llama`
/// or `gpt2`). Of a folder, the first such file by its usual name. Errors name the file and the
/// line or record.
Result<TokenizerPtr> readTokenizer(const std::string &path);
/// A tokenizer from what json() of any gave, as text.
Result<TokenizerPtr> tokenizerFromText(std::string_view json);

} // namespace weft::runtime
#endif
