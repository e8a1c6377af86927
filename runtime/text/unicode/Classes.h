// What the tokenizers must know of a character. Tables.inc has the data, tables.py writes it.
#ifndef WEFT_RUNTIME_TEXT_UNICODE_CLASSES_H
#define WEFT_RUNTIME_TEXT_UNICODE_CLASSES_H

#include <cstdint>
#include <span>

namespace weft::runtime {

/// General category L*, N*, the property White_Space, and all else.
enum class CharacterClass { Space, Letter, Number, Other };
CharacterClass classOf(uint32_t codePoint);

/// The same below U+0080.
constexpr CharacterClass classOfAscii(unsigned char c) {
  bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z', digit = c >= '0' && c <= '9';
  bool space = c == ' ' || (c >= '\t' && c <= '\r');
  return letter  ? CharacterClass::Letter
         : digit ? CharacterClass::Number
         : space ? CharacterClass::Space
                 : CharacterClass::Other;
}

inline bool isSpace(uint32_t codePoint) {
  return classOf(codePoint) == CharacterClass::Space;
}
/// General category P*.
bool isPunctuation(uint32_t codePoint);
/// General category M*, and Mn alone.
bool isMark(uint32_t codePoint);
bool isNonspacingMark(uint32_t codePoint);
/// General category Cc, Cf, Cs or Co: control, format, surrogate, private. Not what is unassigned.
bool isOther(uint32_t codePoint);

/// The canonical combining class; 0 for what begins a sequence.
int combiningClass(uint32_t codePoint);

/// A canonical decomposition into two, or into one (second is 0).
struct Decomposition {
  uint32_t whole, first, second;
  bool composes; // the two become the whole again
};
/// All but Hangul's, sorted by `whole`.
std::span<const Decomposition> decompositions();

} // namespace weft::runtime
#endif
