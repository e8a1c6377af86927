// SentencePiece's precompiled normalization: strings that are replaced by others.
#ifndef WEFT_RUNTIME_TEXT_SENTENCEPIECE_CHARACTERMAP_H
#define WEFT_RUNTIME_TEXT_SENTENCEPIECE_CHARACTERMAP_H

#include "runtime/base/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::runtime {

/// A double-array trie (as Darts-clone lays it out) of what is replaced, whose values are places in
/// a block of zero-terminated strings.
class CharacterMap {
public:
  CharacterMap() = default;
  /// `precompiled` is the size of the trie in bytes (32 bits, little endian), the trie, the
  /// strings.
  static Result<CharacterMap> read(std::string_view precompiled);

  struct Replacement {
    std::string_view by;
    size_t length; // how much of the text it replaces; 0: nothing
  };
  /// For the longest known string that the text begins with.
  Replacement find(std::string_view text) const;
  /// Whether a character of ASCII may be replaced where ASCII follows.
  bool changesAscii(unsigned char first) const;

private:
  std::vector<uint32_t> units;
  std::string strings;
};

} // namespace weft::runtime
#endif
