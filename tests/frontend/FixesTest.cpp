// Edits that diagnostics offer: applied to the program, they mend what was reported and break
// nothing.
#include "Diagnose.h"
#include "Pages.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace weft;
using weft::test::Diagnosed;
namespace fs = std::filesystem;

namespace {

std::string textOf(const fs::path &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// How often each message was reported.
std::map<std::string, int> messages(const Diagnosed &program) {
  std::map<std::string, int> count;
  for (const Diagnostic &diagnostic : program.diagnostics.all())
    ++count[diagnostic.message];
  return count;
}

std::string mended(const std::string &text, const Fix &fix) {
  std::string out = text;
  return out.replace(fix.span.begin, fix.span.end - fix.span.begin, fix.text);
}

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, EditsMendOneErrorAndBreakNothing) {
  std::string text = textOf(GetParam());
  Diagnosed wrong("test.weft", text);
  auto before = messages(wrong);
  for (const Diagnostic &diagnostic : wrong.diagnostics.all()) {
    if (!diagnostic.fix)
      continue;
    const Fix &fix = *diagnostic.fix;
    ASSERT_EQ(fix.span.file, diagnostic.labels.front().span.file) << diagnostic.message;
    std::string better = mended(text, fix);
    Diagnosed after("test.weft", better);
    auto left = messages(after);
    EXPECT_LT(left[diagnostic.message], before[diagnostic.message])
        << render(diagnostic, wrong.sources) << "  ... with `" << fix.text << "`:\n"
        << after.text();
    // What the checker says comes after the parser: only then it can be compared.
    if (diagnostic.code < Code::E0201)
      continue;
    for (auto &[message, count] : left)
      EXPECT_LE(count, before[message]) << render(diagnostic, wrong.sources) << "  ... with `"
                                        << fix.text << "` adds: " << message;
  }
}

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const auto &entry : fs::directory_iterator(fs::path(WEFT_TESTS) / "frontend" / "errors"))
    if (entry.path().extension() == ".weft")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Errors, Golden, testing::ValuesIn(programs()),
                         [](const auto &info) { return info.param.stem().string(); });

/// The edits that the wrong example of a page gets for that page's error.
std::vector<Fix> editsOf(const CodeInfo &code) {
  std::vector<Fix> edits;
  std::vector<std::string> examples = test::programsIn(code.page);
  if (examples.empty())
    return edits;
  Diagnosed wrong("wrong.weft", examples[0]);
  for (const Diagnostic &diagnostic : wrong.diagnostics.all())
    if (diagnostic.fix && diagnostic.code == code.code)
      edits.push_back(*diagnostic.fix);
  return edits;
}

std::vector<CodeInfo> codesWithEdits() {
  std::vector<CodeInfo> found = test::codesFoundBy(test::Finder::checker);
  std::erase_if(found, [](const CodeInfo &code) { return editsOf(code).empty(); });
  return found;
}

class PageFix : public testing::TestWithParam<CodeInfo> {};

TEST_P(PageFix, MakesTheWrongExampleRight) {
  std::string wrong = test::programsIn(GetParam().page).front();
  for (const Fix &edit : editsOf(GetParam())) {
    Diagnosed right("right.weft", mended(wrong, edit));
    EXPECT_FALSE(right.diagnostics.hasErrors()) << wrong << "  ... with `" << edit.text << "`:\n"
                                                << right.text();
  }
}

INSTANTIATE_TEST_SUITE_P(Codes, PageFix, testing::ValuesIn(codesWithEdits()),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(PageFixes, AreStillOffered) {
  EXPECT_GE(codesWithEdits().size(), 28u);
}

} // namespace
