// GPT-2's pre-tokenization, alternative by alternative.
#include "runtime/tokenizers/Pieces.h"

#include "runtime/text/Utf8.h"
#include "runtime/tokenizers/UnicodeClasses.h"

using namespace weft::runtime;

namespace {
struct Character {
  CharacterClass kind;
  size_t length;
};
} // namespace

static Character characterAt(std::string_view text, size_t position) {
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

size_t weft::runtime::firstPiece(std::string_view text) {
  for (const char *contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.starts_with(contraction))
      return std::string_view(contraction).size();
  size_t space = text[0] == ' ' ? 1 : 0;
  if (space < text.size())
    if (CharacterClass kind = characterAt(text, space).kind; kind != CharacterClass::Space)
      return endOfRun(text, space, kind);
  // white space: all of it at the end of the text, else without its last character, which may
  // belong to what follows
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
