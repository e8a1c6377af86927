// The table of error codes, joined with their pages.
#include "frontend/source/Codes.h"
#include "frontend/source/Embedded.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

using namespace weft;

static std::string_view pageOf(std::string_view name) {
  for (const EmbeddedFile &page : embeddedErrorPages())
    if (page.name.substr(0, page.name.find('.')) == name)
      return page.text;
  return {};
}

static const auto &table() {
  static const auto codes = std::to_array<CodeInfo>({
#define WEFT_CODE(code, title) {Code::code, #code, title, pageOf(#code)},
#include "frontend/source/Codes.def"
#undef WEFT_CODE
  });
  return codes;
}

const CodeInfo &weft::info(Code code) {
  return table()[static_cast<size_t>(code)];
}

std::span<const CodeInfo> weft::allCodes() {
  return table();
}

std::optional<Code> weft::findCode(std::string_view name) {
  std::string wanted(name);
  if (!wanted.empty() && std::tolower(static_cast<unsigned char>(wanted[0])) == 'e')
    wanted.erase(0, 1);
  if (wanted.empty() || wanted.size() > 4)
    return std::nullopt;
  wanted = "E" + std::string(4 - wanted.size(), '0') + wanted;
  auto found = std::ranges::find(table(), wanted, &CodeInfo::name);
  if (found == table().end())
    return std::nullopt;
  return found->code;
}
