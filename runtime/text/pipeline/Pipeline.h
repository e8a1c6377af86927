// Tokenizers as Hugging Face's `tokenizer.json` describes them: normalize, split, model, decode.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_PIPELINE_H
#define WEFT_RUNTIME_TEXT_PIPELINE_PIPELINE_H

#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// A tokenizer from such a document. What is not among the types that GPT-2, Llama and BERT use is
/// an error with its name and place. Added tokens are Marks: those that are special decode to
/// nothing.
Result<TokenizerPtr> pipelineFromJson(const Json &document);

/// BERT's `vocab.txt`: a token a line, its id is the line. Text is put into lower case, without
/// accents, if no token but those in brackets has an upper-case letter of ASCII.
Result<TokenizerPtr> pipelineFromWordPieces(std::string_view lines);

/// GPT-2's `vocab.json` (`encoder.json`) with its list of merges, a line each.
Result<TokenizerPtr> pipelineFromVocabulary(const Json &vocabulary, std::string_view merges);

} // namespace weft::runtime
#endif
