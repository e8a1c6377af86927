// Text as the pieces of a SentencePiece model spell it.
#ifndef WEFT_RUNTIME_TEXT_SENTENCEPIECE_NORMALIZER_H
#define WEFT_RUNTIME_TEXT_SENTENCEPIECE_NORMALIZER_H

#include "runtime/text/sentencepiece/CharacterMap.h"
#include "runtime/text/sentencepiece/Vocabulary.h"
#include "runtime/text/tokenizers/PrefixTrie.h"

#include <array>

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
  bool startsPlain(std::string_view text) const {
    auto isAscii = [&](size_t i) { return static_cast<unsigned char>(text[i]) < plain.size(); };
    return isAscii(0) && plain[static_cast<unsigned char>(text[0])] &&
           (text.size() == 1 || isAscii(1));
  }
  const SentencePieceVocabulary &vocabulary;
  CharacterMap map;
  PrefixTrie userDefined;
  std::array<bool, 128> plain; // ASCII that stays as it is where ASCII follows
};

} // namespace weft::runtime
#endif
