// printf into strings, and lists of names.
#include "runtime/base/Text.h"

#include <cstdarg>
#include <cstdio>

using namespace weft::runtime;

std::string weft::runtime::text(const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(nullptr, 0, format, list);
  va_end(list);
  std::string out(length > 0 ? length : 0, '\0');
  vsnprintf(out.data(), out.size() + 1, format, again);
  va_end(again);
  return out;
}

std::string weft::runtime::hexadecimal(uint64_t value) {
  return text("%016llx", static_cast<unsigned long long>(value));
}

std::string weft::runtime::printable(std::string_view name) {
  std::string out;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? text("\\x%02x", byte) : std::string(1, c);
  }
  return out;
}

std::string weft::runtime::listed(const std::vector<std::string> &names, size_t most) {
  std::string out;
  size_t shown = names.size() <= most ? names.size() : most - 1;
  for (size_t i = 0; i < shown; ++i) {
    bool last = i + 1 == names.size();
    out += i == 0 ? "" : last ? " and " : ", ";
    out += "`" + printable(names[i]) + "`";
  }
  if (shown < names.size())
    out += text(" and %zu more", names.size() - shown);
  return out;
}
