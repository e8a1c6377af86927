// Pages of the errors that only a build meets: the wrong example is refused with the code, the
// right one is built.
#include "../Pages.h"
#include "Built.h"

#include "frontend/Weights.h"

#include <gtest/gtest.h>

using namespace weft;
using weft::test::Built;
using weft::test::programsIn;

namespace {

/// Builds a program, and reads its `weights` clauses as who loads a file does.
struct BuiltAndRead : Built {
  explicit BuiltAndRead(const std::string &text) : Built(text) {
    for (const ast::File &file : program.files)
      for (const ast::Declaration &declaration : file.declarations)
        if (auto *clause = declaration.as<ast::Weights>(); clause && module)
          read &= WeightsMap::make(*clause, *module, diagnostics).has_value();
  }
  bool read = true;
};

class BuildPage : public testing::TestWithParam<CodeInfo> {};

TEST_P(BuildPage, HasExamplesThatAreTrue) {
  const CodeInfo &code = GetParam();
  std::vector<std::string> programs = programsIn(code.page);
  ASSERT_EQ(programs.size(), 2u) << "a wrong and a right example are needed";
  BuiltAndRead wrong(programs[0]);
  EXPECT_TRUE(wrong.reports(code.code)) << wrong.errors();
  for (const Diagnostic &diagnostic : wrong.diagnostics.all())
    EXPECT_FALSE(diagnostic.help.empty()) << diagnostic.message;
  EXPECT_FALSE(wrong.module && wrong.read);
  BuiltAndRead right(programs[1]);
  EXPECT_EQ(right.errors(), "");
  EXPECT_TRUE(right.module && right.read);
}

std::vector<CodeInfo> codes() {
  std::vector<CodeInfo> found;
  for (const CodeInfo &code : allCodes())
    if (code.name >= "E0600")
      found.push_back(code);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Codes, BuildPage, testing::ValuesIn(codes()),
                         [](const testing::TestParamInfo<CodeInfo> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
