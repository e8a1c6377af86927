// Text as the pieces of a SentencePiece model spell it.
#ifndef WEFT_RUNTIME_TOKENIZERS_SENTENCEPIECE_NORMALIZER_H
#define WEFT_RUNTIME_TOKENIZERS_SENTENCEPIECE_NORMALIZER_H

#include "runtime/tokenizers/PrefixTrie.h"
#include "runtime/tokenizers/sentencepiece/CharacterMap.h"
#include "runtime/tokenizers/sentencepiece/Vocabulary.h"

namespace weft::runtime {

/// Replaces characters by the map, drops superfluous spaces, writes the others as the pieces do.
/// User-defined pieces are left as they are.
class Normalizer {
public:
  /// `vocabulary` must outlive this.
  Normalizer(const SentencePieceVocabulary &vocabulary, CharacterMap map);
  std::string normalize(std::string_view text) const;
  /// The user-defined piece that `text` begins with; the length of its first character otherwise.
  struct Unit {
    size_t length;
    bool userDefined;
  };
  Unit firstUnit(std::string_view text) const;

private:
  struct Prefix {
    std::string_view becomes;
    size_t length;
  };
  Prefix normalizePrefix(std::string_view text) const;
  const SentencePieceVocabulary &vocabulary;
  CharacterMap map;
  PrefixTrie userDefined;
};

} // namespace weft::runtime
#endif
