// Rendered errors: every program in errors/ is refused with exactly the text in the file beside it.
// WEFT_BLESS=1 writes those files anew; read the difference. The simplest program of each error is
// on its page (ErrorPagesTest); here are the other ways to meet it.
#include "Diagnose.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using weft::test::Diagnosed;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(WEFT_TESTS) / "frontend" / "errors";

class Errors : public testing::TestWithParam<fs::path> {
protected:
  // So that the names in the texts are those of the files alone.
  void SetUp() override { fs::current_path(folder); }
};

TEST_P(Errors, AreAsExpected) {
  fs::path expectedPath = fs::path(GetParam()).replace_extension(".expected");
  Diagnosed program(GetParam().string());
  EXPECT_FALSE(program.diagnostics.empty()) << GetParam() << " is not refused";
  for (const weft::Diagnostic &diagnostic : program.diagnostics.all())
    EXPECT_FALSE(diagnostic.help.empty()) << diagnostic.message << " says not what to do";
  if (std::getenv("WEFT_BLESS"))
    std::ofstream(expectedPath) << program.text();
  std::ifstream stream(expectedPath);
  ASSERT_TRUE(stream) << expectedPath << " is missing: run with WEFT_BLESS=1";
  std::stringstream expected;
  expected << stream.rdbuf();
  EXPECT_EQ(program.text(), expected.str());
}

std::vector<fs::path> programs() {
  std::vector<fs::path> names;
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".weft")
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string testName(const testing::TestParamInfo<fs::path> &info) {
  std::string name = info.param.stem().string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, Errors, testing::ValuesIn(programs()), testName);

TEST(ErrorFiles, HaveAProgramEach) {
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".expected") {
      EXPECT_TRUE(fs::exists(fs::path(entry.path()).replace_extension(".weft"))) << entry.path();
    }
}

} // namespace
