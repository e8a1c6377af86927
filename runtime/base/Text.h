// Text for people, formatted as printf does: small in the binary, checked by the compiler.
#ifndef WEFT_RUNTIME_BASE_TEXT_H
#define WEFT_RUNTIME_BASE_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::runtime {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char *format, ...);

/// 16 digits.
std::string hexadecimal(uint64_t value);

/// What %lld takes.
inline long long wide(int64_t value) {
  return value;
}

/// A name for people: control characters, a zero byte among them, as \x00.
std::string printable(std::string_view name);

/// "a", "a and b", "a, b and 7 more": at most `most` of the names are spelled out.
std::string listed(const std::vector<std::string> &names, size_t most = 4);

} // namespace weft::runtime
#endif
