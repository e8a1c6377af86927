// The pages of errors, which `weft explain` shows: what is in one, and what finds its error.
#pragma once

#include "frontend/source/Codes.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
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

/// What meets an error first: reading a file (no text of a program is wrong in that way), the
/// checker, a build, or a proof over what was built.
enum class Finder { file, checker, build, proof };

/// With `build`, tests/frontend/lower/BuildPagesTest.cpp looks at the page, with `proof`
/// tests/passes/model/decode/decode-pages.test and tests/tools/require.test.
inline Finder finderOf(const CodeInfo &code) {
  if (code.code == Code::E0002 || code.code == Code::E0003)
    return Finder::file;
  if (code.code == Code::E0510 || code.code == Code::E0530)
    return Finder::proof;
  return code.name >= "E0600" ? Finder::build : Finder::checker;
}

inline std::vector<CodeInfo> codesFoundBy(Finder finder) {
  std::vector<CodeInfo> found;
  for (const CodeInfo &code : allCodes())
    if (finderOf(code) == finder)
      found.push_back(code);
  return found;
}

/// The texts of a page between "```" with `language` and "```".
inline std::vector<std::string> blocksIn(std::string_view page, const std::string &language) {
  std::vector<std::string> blocks;
  const std::string start = "```" + language + "\n", end = "```\n";
  for (size_t at = page.find(start); at != page.npos; at = page.find(start, at)) {
    at += start.size();
    size_t stop = page.find(end, at);
    blocks.emplace_back(page.substr(at, stop - at));
    at = stop;
  }
  return blocks;
}

/// First what is wrong, then what is right.
inline std::vector<std::string> programsIn(std::string_view page) {
  return blocksIn(page, "weft");
}

/// Holds what is said of the wrong program of a page against what the page says of it, behind that
/// program. With WEFT_BLESS=1 it is written there instead.
inline void expectSaid(const CodeInfo &code, const std::string &said) {
  std::string text = said.substr(0, said.find_last_not_of('\n') + 1) + "\n";
  std::vector<std::string> expected = blocksIn(code.page, "text");
  if (!std::getenv("WEFT_BLESS")) {
    ASSERT_EQ(expected.size(), 1u) << "run with WEFT_BLESS=1";
    EXPECT_EQ(text, expected[0]);
    return;
  }
  std::string page(code.page);
  size_t at = page.find("```\n", page.find("```weft\n") + 1) + 4, length = 0;
  if (!expected.empty()) {
    at = page.find("```text\n");
    length = page.find("```\n", at + 1) + 4 - at;
  }
  page.replace(at, length, (expected.empty() ? "\n" : "") + ("```text\n" + text) + "```\n");
  std::ofstream(WEFT_SOURCE "/docs/errors/" + std::string(code.name) + ".md") << page;
}

} // namespace weft::test
