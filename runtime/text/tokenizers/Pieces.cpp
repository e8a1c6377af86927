// GPT-2's pre-tokenization, alternative by alternative.
#include "runtime/text/tokenizers/Pieces.h"

#include "runtime/base/Utf8.h"
#include "runtime/text/unicode/Classes.h"

using namespace weft::runtime;

namespace {
struct Character {
  CharacterClass kind;
  size_t length;
};
} // namespace

static Character characterAt(std::string_view text, size_t position) {
  if (auto byte = static_cast<unsigned char>(text[position]); byte < 0x80)
    return {classOfAscii(byte), 1};
  CodePoint point = nextCodePoint(text.substr(position));
  bool valid = point.value != CodePoint::invalid;
  return {valid ? classOf(point.value) : CharacterClass::Other, static_cast<size_t>(point.length)};
}

/// Where the run of one class that begins at `position` ends.
static size_t endOfRun(std::string_view text, size_t position, CharacterClass kind) {
  while (position < text.size()) {
    Character next = characterAt(text, position);
    if (next.kind != kind)
      break;
    position += next.length;
  }
  return position;
}

/// The white space that the text begins with: all of it at the end of the text, else without its
/// last character, which may belong to what follows.
static size_t leadingSpace(std::string_view text) {
  size_t position = 0, last = 0;
  while (position < text.size()) {
    Character next = characterAt(text, position);
    if (next.kind != CharacterClass::Space)
      return last > 0 ? last : position;
    last = position;
    position += next.length;
  }
  return position;
}

/// How long a contraction the text begins with; 0 for none. `text` is in lower case.
static size_t contraction(std::string_view text) {
  for (std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.starts_with(ending))
      return ending.size();
  return 0;
}

size_t weft::runtime::firstPiece(std::string_view text) {
  if (size_t length = text[0] == '\'' ? contraction(text) : 0)
    return length;
  size_t space = text[0] == ' ' ? 1 : 0;
  if (space < text.size())
    if (CharacterClass kind = characterAt(text, space).kind; kind != CharacterClass::Space)
      return endOfRun(text, space, kind);
  return leadingSpace(text);
}

static bool isLineBreak(char c) {
  return c == '\n' || c == '\r';
}

/// The digits that the text begins with, at most so many.
static size_t leadingDigits(std::string_view text, int most) {
  size_t end = 0;
  for (int digits = 0; digits < most && end < text.size(); ++digits) {
    Character next = characterAt(text, end);
    if (next.kind != CharacterClass::Number)
      break;
    end += next.length;
  }
  return end;
}

/// By GPT-4's pattern, with at most so many digits in a piece.
static size_t firstPieceWithDigits(std::string_view text, int mostDigits) {
  char lower[3] = {};
  for (size_t i = 0; i < std::min(text.size(), sizeof lower); ++i)
    lower[i] = static_cast<char>(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 0x20 : text[i]);
  if (size_t length = text[0] == '\'' ? contraction({lower, sizeof lower}) : 0)
    return length;
  Character first = characterAt(text, 0);
  bool leads = first.kind != CharacterClass::Letter && first.kind != CharacterClass::Number &&
               !isLineBreak(text[0]);
  size_t letters = leads ? first.length : 0;
  if (size_t end = endOfRun(text, letters, CharacterClass::Letter); end > letters)
    return end;
  if (first.kind == CharacterClass::Number)
    return leadingDigits(text, mostDigits);
  size_t space = text[0] == ' ' ? 1 : 0;
  if (size_t end = endOfRun(text, space, CharacterClass::Other); end > space) {
    while (end < text.size() && isLineBreak(text[end]))
      ++end;
    return end;
  }
  size_t end = endOfRun(text, 0, CharacterClass::Space);
  for (size_t last = end; last > 0; --last)
    if (isLineBreak(text[last - 1]))
      return last;
  return leadingSpace(text);
}

size_t weft::runtime::firstPieceOfGpt4(std::string_view text) {
  return firstPieceWithDigits(text, 3);
}

size_t weft::runtime::firstPieceOfQwen2(std::string_view text) {
  return firstPieceWithDigits(text, 1);
}
