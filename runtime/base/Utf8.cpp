// UTF-8 by RFC 3629.
#include "runtime/base/Utf8.h"

using namespace weft::runtime;

/// How many bytes a code point with this first byte has; 0 if none begins so.
static int lengthFrom(unsigned char first) {
  return first < 0x80   ? 1
         : first < 0xc2 ? 0
         : first < 0xe0 ? 2
         : first < 0xf0 ? 3
         : first < 0xf5 ? 4
                        : 0;
}

/// Whether `byte` may stand second after `first`: this is where overlong forms, surrogates and
/// values above U+10FFFF show.
static bool mayFollow(unsigned char first, unsigned char byte) {
  unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}

/// How many bytes from the start belong together: `length` for a whole code point, fewer if it
/// breaks off.
static size_t matching(std::string_view text, int length) {
  auto at = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  size_t i = 1;
  for (; i < static_cast<size_t>(length) && i < text.size(); ++i)
    if (i == 1 ? !mayFollow(at(0), at(1)) : (at(i) & 0xc0) != 0x80)
      break;
  return i;
}

CodePoint weft::runtime::nextCodePoint(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  int length = lengthFrom(first);
  if (length == 1)
    return {first, 1};
  if (length == 0 || matching(text, length) != static_cast<size_t>(length))
    return {CodePoint::invalid, 1};
  uint32_t value = first & (0x7f >> length);
  for (int i = 1; i < length; ++i)
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  return {value, length};
}

size_t weft::runtime::validUtf8Length(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    CodePoint point = nextCodePoint(text.substr(position));
    if (point.value == CodePoint::invalid)
      break;
    position += point.length;
  }
  return position;
}

bool weft::runtime::isUtf8Beginning(std::string_view text) {
  int length = text.empty() ? 0 : lengthFrom(static_cast<unsigned char>(text[0]));
  return static_cast<size_t>(length) > text.size() && matching(text, length) == text.size();
}

std::string weft::runtime::toUtf8(uint32_t value) {
  auto tail = [&](int shift) { return static_cast<char>(0x80 | (value >> shift & 0x3f)); };
  if (value < 0x80)
    return {static_cast<char>(value)};
  if (value < 0x800)
    return {static_cast<char>(0xc0 | value >> 6), tail(0)};
  if (value < 0x10000)
    return {static_cast<char>(0xe0 | value >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | value >> 18), tail(12), tail(6), tail(0)};
}
