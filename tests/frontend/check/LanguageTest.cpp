// The listings of the language reference: each is right, or wrong in the way that its first line,
// `# E0301`, says.
#include "../Diagnose.h"
#include "../Pages.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace weft;
using weft::test::Diagnosed;
namespace fs = std::filesystem;

namespace {

class Reference : public testing::TestWithParam<fs::path> {};

TEST_P(Reference, TellsTheTruth) {
  std::ifstream stream(GetParam());
  std::stringstream text;
  text << stream.rdbuf();
  std::vector<std::string> programs = test::programsIn(text.str());
  EXPECT_FALSE(programs.empty());
  for (const std::string &program : programs) {
    Diagnosed found("listing.weft", program);
    std::string_view first = std::string_view(program).substr(0, program.find('\n'));
    if (std::optional<Code> code =
            first.starts_with("# E") ? findCode(first.substr(2)) : std::nullopt)
      EXPECT_TRUE(found.reports(*code)) << program << found.text();
    else
      EXPECT_EQ(found.text(), "") << program;
  }
}

std::vector<fs::path> pages() {
  fs::path docs = fs::path(WEFT_SOURCE) / "docs";
  std::vector<fs::path> paths = {docs / "language.md"};
  for (const auto &entry : fs::directory_iterator(docs / "language"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Pages, Reference, testing::ValuesIn(pages()),
                         [](const auto &info) { return info.param.stem().string(); });

/// The index names every page, and no other.
TEST(ReferenceIndex, IsComplete) {
  std::ifstream stream(fs::path(WEFT_SOURCE) / "docs" / "language.md");
  std::stringstream text;
  text << stream.rdbuf();
  for (const fs::path &page : pages())
    if (page.filename() != "language.md") {
      EXPECT_NE(text.str().find("(language/" + page.filename().string() + ")"), std::string::npos)
          << page;
    }
}

} // namespace
