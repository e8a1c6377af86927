// The pages of `weft explain`: each code has one, its wrong example is refused with that code and
// its right example is not refused at all.
#include "Diagnose.h"
#include "Pages.h"
#include "frontend/source/Embedded.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

using namespace weft;
using weft::test::Diagnosed;
using weft::test::programsIn;

namespace {

class Page : public testing::TestWithParam<CodeInfo> {};

TEST_P(Page, IsThereWithItsTitle) {
  const CodeInfo &code = GetParam();
  EXPECT_TRUE(code.page.starts_with(fmt::format("# {}: {}\n", code.name, code.title)))
      << "docs/errors/" << code.name << ".md is missing or has another title";
}

std::vector<CodeInfo> codes() {
  return {allCodes().begin(), allCodes().end()};
}

/// No text of a program is wrong in these ways, but a file may be.
const std::map<Code, std::string> wrongFiles = {
    {Code::E0002, WEFT_TESTS "/frontend/errors/zero.weft"},
    {Code::E0003, WEFT_TESTS "/frontend/errors/absent.weft"}};

/// What only a build can meet is tested with builds (lower/BuildPagesTest.cpp), what only a proof
/// over the built program meets with that pass (tests/passes/model/decode/decode-pages.test).
std::vector<CodeInfo> checkedCodes() {
  std::vector<CodeInfo> found = codes();
  std::erase_if(found, [](const CodeInfo &code) {
    return code.name >= "E0600" || code.code == Code::E0510 || wrongFiles.contains(code.code);
  });
  return found;
}

class CheckedPage : public testing::TestWithParam<CodeInfo> {};

TEST_P(CheckedPage, HasExamplesThatAreTrue) {
  const CodeInfo &code = GetParam();
  std::vector<std::string> programs = programsIn(code.page);
  ASSERT_EQ(programs.size(), 2u) << "a wrong and a right example are needed";
  Diagnosed wrong("wrong.weft", programs[0]);
  EXPECT_TRUE(wrong.reports(code.code)) << wrong.text();
  for (const Diagnostic &diagnostic : wrong.diagnostics.all())
    EXPECT_FALSE(diagnostic.help.empty()) << diagnostic.message;
  Diagnosed right("right.weft", programs[1]);
  EXPECT_EQ(right.text(), "");
}

std::string nameOf(const testing::TestParamInfo<CodeInfo> &info) {
  return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Codes, Page, testing::ValuesIn(codes()), nameOf);
INSTANTIATE_TEST_SUITE_P(Codes, CheckedPage, testing::ValuesIn(checkedCodes()), nameOf);

TEST(Pages, WithoutExamplesAreOfFiles) {
  for (const CodeInfo &code : allCodes())
    EXPECT_EQ(programsIn(code.page).empty(), wrongFiles.contains(code.code)) << code.name;
  for (const auto &[code, path] : wrongFiles) {
    Diagnosed wrong(path);
    EXPECT_TRUE(wrong.reports(code)) << path << "\n" << wrong.text();
    for (const Diagnostic &diagnostic : wrong.diagnostics.all())
      EXPECT_FALSE(diagnostic.fix) << "no edit makes a program of it";
  }
}

TEST(Pages, BelongToCodes) {
  for (const EmbeddedFile &page : embeddedErrorPages())
    EXPECT_TRUE(findCode(page.name.substr(0, page.name.find('.'))).has_value()) << page.name;
}

} // namespace
