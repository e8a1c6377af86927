// The pages of `weft explain`: each code has one, its wrong example is refused with that code and
// its right example is not refused at all.
#include "Diagnose.h"
#include "Pages.h"
#include "frontend/Embedded.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using weft::test::Diagnosed;
using weft::test::programsIn;

namespace {

class Page : public testing::TestWithParam<CodeInfo> {};

TEST_P(Page, HasExamplesThatAreTrue) {
  const CodeInfo &code = GetParam();
  EXPECT_TRUE(code.page.starts_with(fmt::format("# {}: {}\n", code.name, code.title)))
      << "docs/errors/" << code.name << ".md is missing or has another title";
  // What only a build can meet is tested with builds (build/BuildPagesTest.cpp).
  if (code.name >= "E0600")
    return;
  // What only a proof over the built program meets: tests/passes/model/decode-pages.test.
  if (code.name == "E0510")
    return;
  // No text of a program is wrong in these ways.
  if (code.code == Code::E0002 || code.code == Code::E0003)
    return;
  std::vector<std::string> programs = programsIn(code.page);
  ASSERT_EQ(programs.size(), 2u) << "a wrong and a right example are needed";
  Diagnosed wrong("wrong.weft", programs[0]);
  EXPECT_TRUE(wrong.reports(code.code)) << wrong.text();
  Diagnosed right("right.weft", programs[1]);
  EXPECT_EQ(right.text(), "");
}

std::vector<CodeInfo> codes() {
  return {allCodes().begin(), allCodes().end()};
}

INSTANTIATE_TEST_SUITE_P(Codes, Page, testing::ValuesIn(codes()),
                         [](const testing::TestParamInfo<CodeInfo> &info) {
                           return std::string(info.param.name);
                         });

TEST(Pages, BelongToCodes) {
  for (const EmbeddedFile &page : embeddedErrorPages())
    EXPECT_TRUE(findCode(page.name.substr(0, page.name.find('.'))).has_value()) << page.name;
}

} // namespace
