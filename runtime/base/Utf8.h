// UTF-8: reading and writing code points.
#ifndef WEFT_RUNTIME_BASE_UTF8_H
#define WEFT_RUNTIME_BASE_UTF8_H

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::runtime {

/// A code point and how many bytes it took. Bytes that are no UTF-8 (RFC 3629: no surrogates,
/// nothing overlong) give `invalid` and length 1.
struct CodePoint {
  static constexpr uint32_t invalid = 0xffffffff;
  uint32_t value;
  int length;
};

/// The code point at the front of `text`, which is not empty.
CodePoint nextCodePoint(std::string_view text);

/// How many bytes from the start are whole, valid UTF-8.
size_t validUtf8Length(std::string_view text);
inline bool isUtf8(std::string_view text) {
  return validUtf8Length(text) == text.size();
}

/// Whether `text` could become valid if more bytes followed: it is the beginning of one code point.
bool isUtf8Beginning(std::string_view text);

std::string toUtf8(uint32_t codePoint);

} // namespace weft::runtime
#endif
