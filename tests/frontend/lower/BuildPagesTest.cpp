// Pages of the errors that only a build meets: the wrong program is refused with exactly what the
// page says, the right one is built. WEFT_BLESS=1 writes what is said; read the difference.
#include "../Pages.h"
#include "Built.h"

#include "frontend/weights/Plan.h"

using namespace weft;
using weft::test::Built;
using weft::test::programsIn;

namespace {

/// Builds a program, and reads its `weights` clauses as who loads a file does.
struct BuiltAndRead : Built {
  BuiltAndRead(const std::string &name, const std::string &text) : Built(text, name) {
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
  BuiltAndRead wrong("wrong.weft", programs[0]);
  EXPECT_TRUE(wrong.reports(code.code)) << wrong.errors();
  for (const Diagnostic &diagnostic : wrong.diagnostics.all())
    EXPECT_FALSE(diagnostic.help.empty()) << diagnostic.message;
  EXPECT_FALSE(wrong.module && wrong.read);
  test::expectSaid(code, wrong.errors());
  BuiltAndRead right("right.weft", programs[1]);
  EXPECT_EQ(right.errors(), "");
  EXPECT_TRUE(right.module && right.read);
}

INSTANTIATE_TEST_SUITE_P(Codes, BuildPage,
                         testing::ValuesIn(test::codesFoundBy(test::Finder::build)),
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

/// What only `--set` puts in the place of a default is judged as what a config puts there.
TEST(Settings, AreJudgedBeforeAnythingIsBuilt) {
  const std::string program =
      "dim batch, model, a, b\n"
      "option act = scaled, spread = 0.02, merge = added\n"
      "fn scaled(x: [..], by = 2) -> [..] = x * by\n"
      "fn plain(x: [..]) -> [..] = x\n"
      "fn again(x: [..], by = 1) -> [..] = act(x, by = by)\n"
      "fn added[d](x: [..], y: [.., d]) -> [..] = x + sum[d](y)\n"
      "fn passes[d](x: [..], y: [.., d]) -> [..] {\n"
      "  repeat[d] {\n    x = x * 2\n  }\n  x + sum[d](y)\n}\n"
      "block Net(x: [batch, model], y: [batch, a, b]) -> [batch, model] {\n"
      "  param w: [model] = normal(spread)\n"
      "  act(x * w, by = 3) * merge[(a, b)](sum[model](x), y)\n}\n"
      "entry run(x: [batch, model], y: [batch, a, b]) -> [batch, model] = net: Net(x, y)\n";
  auto built = [&](const std::string &set) {
    return Built("# weft build --set model=4,a=2,b=3" + set + "\n" + program);
  };
  EXPECT_EQ(built("").errors(), "");
  EXPECT_NE(built(",act=plain").errors().find("it has no argument `by`, which a call passes"),
            std::string::npos);
  EXPECT_TRUE(built(",act=again").reports(Code::E0403));
  EXPECT_NE(built(",merge=passes").errors().find("one dimension, for it is repeated"),
            std::string::npos);
  EXPECT_TRUE(built(",spread=-1.0").reports(Code::E0404));
}

/// What is bound in an `if` that was taken is not bound behind it, also where it was built.
TEST(Bindings, AreFirstWhereTheCheckerSaysSo) {
  const std::string program = "dim batch, model\noption wide = true\n"
                              "entry run(x: [batch, model]) -> [batch, model] = net: Net(x)\n"
                              "block Net(x: [batch, model]) -> [batch, model] {\n"
                              "  if wide {\n    y = x * 2\n    x = y\n  }\n"
                              "  y = Linear[model, model](x)\n"
                              "  y\n}\n";
  EXPECT_NE(Built("# weft build --set model=4\n" + program).text().find("@net.y.weight"),
            std::string::npos);
}

TEST(Paths, IntoWhatWasLeftOutAreRefused) {
  const std::string program = "dim batch, model\noption wide = true\n"
                              "fn half(x: [..]) -> [..] {\n  part = x / 2\n  part\n}\n"
                              "entry run(x: [batch, model]) -> [batch, model] {\n"
                              "  if wide {\n    first: half(x)\n  }\n"
                              "  x + first.part\n}\n";
  EXPECT_EQ(Built("# weft build --set model=4\n" + program).errors(), "");
  EXPECT_TRUE(Built("# weft build --set model=4,wide=false\n" + program).reports(Code::E0206));
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
