// The pages of `weft explain`: the wrong program of each is refused with exactly what the page
// says, its right program is not refused at all. WEFT_BLESS=1 writes what is said; read the
// difference.
#include "Diagnose.h"
#include "Pages.h"

#include <map>

using namespace weft;
using weft::test::Diagnosed;
using weft::test::Finder;
using weft::test::programsIn;

namespace {

class CheckedPage : public testing::TestWithParam<CodeInfo> {};

TEST_P(CheckedPage, HasExamplesThatAreTrue) {
  const CodeInfo &code = GetParam();
  std::vector<std::string> programs = programsIn(code.page);
  ASSERT_EQ(programs.size(), 2u) << "a wrong and a right example are needed";
  Diagnosed wrong("wrong.weft", programs[0]);
  EXPECT_TRUE(wrong.reports(code.code)) << wrong.text();
  for (const Diagnostic &diagnostic : wrong.diagnostics.all())
    EXPECT_FALSE(diagnostic.help.empty()) << diagnostic.message;
  test::expectSaid(code, wrong.text());
  Diagnosed right("right.weft", programs[1]);
  EXPECT_EQ(right.text(), "");
}

std::string nameOf(const testing::TestParamInfo<CodeInfo> &info) {
  return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Codes, CheckedPage, testing::ValuesIn(test::codesFoundBy(Finder::checker)),
                         nameOf);

TEST(Pages, WithoutExamplesAreOfFiles) {
  std::map<Code, std::string> wrongFiles = {
      {Code::E0002, WEFT_TESTS "/frontend/errors/zero.weft"},
      {Code::E0003, WEFT_TESTS "/frontend/errors/absent.weft"}};
  for (const CodeInfo &code : allCodes())
    EXPECT_EQ(programsIn(code.page).empty(), test::finderOf(code) == Finder::file) << code.name;
  for (const CodeInfo &info : test::codesFoundBy(Finder::file)) {
    Code code = info.code;
    Diagnosed wrong(wrongFiles.at(code));
    EXPECT_TRUE(wrong.reports(code)) << wrong.text();
    for (const Diagnostic &diagnostic : wrong.diagnostics.all())
      EXPECT_FALSE(diagnostic.fix) << "no edit makes a program of it";
  }
}

} // namespace
