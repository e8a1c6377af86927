// The examples in a page of `weft explain`.
#pragma once

#include "frontend/source/Codes.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

inline void PrintTo(const CodeInfo &code, std::ostream *out) {
  *out << code.name;
}

} // namespace weft

namespace weft::test {

/// The texts between "```weft" and "```": first what is wrong, then what is right.
inline std::vector<std::string> programsIn(std::string_view page) {
  std::vector<std::string> programs;
  constexpr std::string_view start = "```weft\n", end = "```\n";
  for (size_t at = page.find(start); at != page.npos; at = page.find(start, at)) {
    at += start.size();
    size_t stop = page.find(end, at);
    programs.emplace_back(page.substr(at, stop - at));
    at = stop;
  }
  return programs;
}

} // namespace weft::test
