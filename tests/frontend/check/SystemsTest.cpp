// Programs that are right: nothing is said about them.
#include "../Diagnose.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

using weft::test::Diagnosed;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const char *folder : {"tests/frontend/systems", "examples"})
    if (fs::exists(fs::path(WEFT_SOURCE) / folder))
      for (const auto &entry : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE) / folder))
        if (entry.path().extension() == ".weft")
          paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class System : public testing::TestWithParam<fs::path> {};

TEST_P(System, IsRight) {
  Diagnosed program(GetParam().string());
  EXPECT_EQ(program.text(), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, System, testing::ValuesIn(programs()), [](const auto &info) {
  fs::path path = info.param.parent_path().filename() / info.param.stem();
  std::string name = path.string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

TEST(Library, IsRight) {
  Diagnosed program("empty.weft", "");
  EXPECT_EQ(program.text(), "");
}

} // namespace
