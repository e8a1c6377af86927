// Pages of the errors that only a build meets: the wrong example is refused with the code, the
// right one is built.
#include "../Pages.h"
#include "Built.h"

#include "frontend/weights/Plan.h"

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
          read &= ForeignPlan::make(*clause, *module, diagnostics).has_value();
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

TEST(Settings, TakeFunctionsLikeTheDefault) {
  const std::string program = "dim batch, model\noption act = softmax\n"
                              "entry run(x: [batch, model]) -> [batch, model] = act[model](x)\n";
  EXPECT_TRUE(Built("# weft build --set model=4,act=mean\n" + program).reports(Code::E0607));
  EXPECT_TRUE(Built("# weft build --set model=4,act=LayerNorm\n" + program).reports(Code::E0607));
  EXPECT_EQ(Built("# weft build --set model=4,act=softmax\n" + program).errors(), "");
}

TEST(Settings, AreReadByWhatNamesThem) {
  const std::string program = "dim batch\noption wide = 3 * width, width = 2\n"
                              "entry run(x: [batch]) -> [batch] = x * wide\n"
                              "config broad with width = 5\n";
  auto factor = [&](const std::string &line) {
    std::string text = Built(line + "\n" + program).text();
    size_t at = text.find("model.constant ");
    return text.substr(at, text.find(' ', at + 15) - at);
  };
  EXPECT_EQ(factor("# weft build"), "model.constant 6.000000e+00");
  EXPECT_EQ(factor("# weft build --set width=4"), "model.constant 1.200000e+01");
  EXPECT_EQ(factor("# weft build --config broad"), "model.constant 1.500000e+01");
  EXPECT_EQ(factor("# weft build --config broad --set wide=7"), "model.constant 7.000000e+00");
}

} // namespace
