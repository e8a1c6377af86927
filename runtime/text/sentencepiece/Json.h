// A SentencePiece vocabulary as a checkpoint keeps it.
#ifndef WEFT_RUNTIME_TEXT_SENTENCEPIECE_JSON_H
#define WEFT_RUNTIME_TEXT_SENTENCEPIECE_JSON_H

#include "runtime/text/sentencepiece/Vocabulary.h"

namespace weft::runtime {

Json sentencePieceJson(const SentencePieceVocabulary &vocabulary);
Result<TokenizerPtr> sentencePieceFromJson(const Json &json);

} // namespace weft::runtime
#endif
