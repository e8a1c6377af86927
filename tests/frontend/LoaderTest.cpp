// `use`: each file once, cycles, what cannot be read; and the library.
#include "Diagnose.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace weft;
using weft::test::Diagnosed;
namespace fs = std::filesystem;

namespace {

class Loading : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("weft-loader-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string &name, const std::string &text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }
  /// The names of the program's own files.
  std::vector<std::string> ownFiles(const Diagnosed &program) {
    std::vector<std::string> names;
    for (const ast::File &file : program.program.files)
      if (!file.library)
        names.push_back(fs::path(program.sources.file(file.id).name()).filename());
    return names;
  }

  fs::path folder;
};

using Names = std::vector<std::string>;

TEST_F(Loading, EachFileOnceAlsoInACycle) {
  std::string a = write("a.weft", "use b\nuse c\ndim a\n");
  write("b.weft", "use c\nuse a\ndim b\n");
  write("c.weft", "use c\ndim c\n");
  Diagnosed program(a);
  EXPECT_EQ(program.text(), "");
  EXPECT_EQ(ownFiles(program), (Names{"a.weft", "b.weft", "c.weft"}));
}

TEST_F(Loading, TheLibraryComesLast) {
  Diagnosed program(write("a.weft", "dim a\n"));
  ASSERT_GT(program.program.files.size(), 5u);
  EXPECT_FALSE(program.program.files.front().library);
  bool hasSoftmax = false;
  for (size_t i = 1; i < program.program.files.size(); ++i) {
    EXPECT_TRUE(program.program.files[i].library);
    for (const ast::Declaration &declaration : program.program.files[i].declarations)
      if (auto *function = declaration.as<ast::Function>())
        hasSoftmax |= function->name.text == "softmax";
  }
  EXPECT_TRUE(hasSoftmax);
}

TEST_F(Loading, AMissingFileIsReportedWhereItIsUsed) {
  Diagnosed program(write("a.weft", "dim a\nuse absent\n"));
  ASSERT_EQ(program.diagnostics.errorCount(), 1u);
  EXPECT_EQ(program.diagnostics.all()[0].code, Code::E0003);
  EXPECT_EQ(program.sources.text(program.diagnostics.all()[0].labels[0].span), "absent");
}

TEST_F(Loading, TheErrorsOfAUsedFileAreItsOwn) {
  std::string a = write("a.weft", "use b\n");
  write("b.weft", "dim =\n");
  Diagnosed program(a);
  ASSERT_EQ(program.diagnostics.errorCount(), 1u);
  EXPECT_NE(program.text().find("b.weft:1:5"), std::string::npos) << program.text();
}

TEST_F(Loading, WhatCannotBeRead) {
  EXPECT_TRUE(Diagnosed((folder / "none.weft").string()).reports(Code::E0003));
  EXPECT_TRUE(Diagnosed(folder.string()).reports(Code::E0003));
  EXPECT_TRUE(Diagnosed(write("big.weft", std::string(5 << 20, '#'))).reports(Code::E0003));
  EXPECT_TRUE(Diagnosed("/dev/zero").reports(Code::E0003));
  EXPECT_TRUE(Diagnosed(write("binary.weft", std::string("\x7f"
                                                         "ELF\0",
                                                         5)))
                  .reports(Code::E0002));
}

} // namespace
