// Names of verdicts, and what makes two of them the same.
#include "tools/reduce/subject/Verdict.h"

#include <array>
#include <cctype>

namespace weft::reduce {

std::string_view nameOf(Kind kind) {
  static constexpr std::array<std::string_view, 15> names = {
      "right", "invalid",    "refused", "crash",  "hang",     "internal", "unbuilt", "format",
      "stage", "derivative", "refusal", "values", "gradient", "threads",  "decode"};
  return names[static_cast<size_t>(kind)];
}

/// Words without what differs from program to program: names in quotes, numbers, addresses, paths.
static std::string plain(std::string_view text) {
  std::string result;
  char quote = 0;
  for (size_t i = 0; i < text.size() && result.size() < 160; ++i) {
    char c = text[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
      continue;
    }
    if (c == '`' || c == '"' || (c == '\'' && (i == 0 || text[i - 1] == ' '))) {
      quote = c;
      result += '_';
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '%') {
      while (i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1]))))
        ++i;
      result += '#';
    } else {
      result += c;
    }
  }
  return result;
}

std::string Verdict::signature() const {
  std::string result(nameOf(kind));
  if (kind == Kind::crash || kind == Kind::internal || kind == Kind::unbuilt ||
      kind == Kind::refusal)
    result += ": " + plain(std::string_view(what).substr(0, what.find('\n')));
  else if (kind == Kind::hang)
    result += ": " + plain(where);
  return result;
}

} // namespace weft::reduce
