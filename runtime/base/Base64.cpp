// Three bytes are four digits.
#include "runtime/base/Base64.h"

#include <cstdint>

static constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string weft::runtime::toBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j)
      out += j <= count ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::optional<std::string> weft::runtime::fromBase64(std::string_view text) {
  std::string out;
  if (text.size() % 4 != 0)
    return std::nullopt;
  out.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    size_t count = 4; // digits of this group
    while (i + 4 == text.size() && count > 2 && text[i + count - 1] == '=')
      --count;
    uint32_t group = 0;
    for (size_t j = 0; j < 4; ++j) {
      size_t digit = j < count ? digits.find(text[i + j]) : 0;
      if (digit == std::string_view::npos)
        return std::nullopt;
      group = group << 6 | static_cast<uint32_t>(digit);
    }
    for (size_t j = 0; j + 1 < count; ++j)
      out += static_cast<char>(group >> (16 - 8 * j) & 255);
  }
  return out;
}
