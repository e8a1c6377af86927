// Every example with every config that it has, itself or by `use`: all of its entries are built
// together, as a program has them, and its `weights` clauses name every parameter.
#include "Built.h"

#include "frontend/weights/Plan.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

using namespace weft;
using weft::test::Built;
namespace fs = std::filesystem;

namespace {

struct Configured {
  std::string path, config;
};

template <class Node> std::vector<const Node *> declared(const ast::Program &program) {
  std::vector<const Node *> found;
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *node = declaration.as<Node>())
        found.push_back(node);
  return found;
}

std::vector<Configured> configs() {
  std::vector<fs::path> paths;
  for (const auto &entry : fs::recursive_directory_iterator(WEFT_SOURCE "/examples"))
    if (entry.path().extension() == ".weft")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Configured> all;
  for (const fs::path &path : paths) {
    SourceManager sources;
    Diagnostics diagnostics;
    ast::Program program = loadProgram(path.string(), sources, diagnostics);
    for (const ast::Config *config : declared<ast::Config>(program))
      all.push_back({path.string(), config->name.text});
  }
  return all;
}

class Config : public testing::TestWithParam<Configured> {};

TEST_P(Config, HasASizeForEveryEntry) {
  BuildOptions options;
  options.settings.config = GetParam().config;
  Built built(Built::File{GetParam().path}, options);
  ASSERT_TRUE(built.module) << built.errors();
  for (const ast::Weights *clause : declared<ast::Weights>(built.program))
    EXPECT_TRUE(ForeignPlan::make(*clause, *built.module, built.diagnostics)) << clause->name.text;
  EXPECT_EQ(built.errors(), "");
}

INSTANTIATE_TEST_SUITE_P(Examples, Config, testing::ValuesIn(configs()), [](const auto &info) {
  std::string name = fs::path(info.param.path).stem().string() + "_" + info.param.config;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
