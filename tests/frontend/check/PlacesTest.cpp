// What an editor asks: of every name in every program what it is, where it is declared and who else
// names it, and of every expression what it gives.
#include "../Diagnose.h"

#include "frontend/semantics/Places.h"
#include "frontend/syntax/parse/Lexer.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

using namespace weft;
using weft::test::Diagnosed;
namespace fs = std::filesystem;

namespace {

/// What the language knows by itself, where it stands.
const std::set<std::string_view> words = {
    "entry",  "state",    "with",   "use",   "option", "config", "weights",
    "float",  "int",      "bool",   "copy",  "ignore", "size",   "stack",
    "concat", "minimize", "decode", "group", "freeze", "clip",   "clip_value",
    "data",   "start",    "max",    "text",  "pairs",  "images", "tensors"};

/// What `weights` clauses call axes that only the file has: `"qkv" = stack[role](q, k, v)`.
std::set<std::string_view> axesOfFiles(const ast::Program &program) {
  std::set<std::string_view> axes;
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *weights = declaration.as<ast::Weights>())
        for (const ast::WeightRule &rule : weights->rules)
          if (auto *rename = std::get_if<ast::RenameRule>(&rule); rename && rename->along)
            axes.insert(rename->along->text);
  return axes;
}

void askEverything(const Diagnosed &program) {
  ASSERT_TRUE(program.checked && *program.checked) << program.text();
  sema::Places places(**program.checked);
  std::set<std::string_view> axes = axesOfFiles(program.program);
  for (const ast::File &file : program.program.files) {
    Diagnostics none;
    Tokens tokens = lex(program.sources, file.id, none);
    bool isFile = false; // behind `use` stands a file
    for (const Token &token : tokens.list) {
      if (std::exchange(isFile, token.is(TokenKind::name) && token.text == "use") ||
          !token.is(TokenKind::name))
        continue;
      std::string where =
          program.sources.describe(token.span) + ": `" + std::string(token.text) + "`";
      const sema::NameAt *found = places.name(file.id, token.span.begin);
      if (!found) {
        EXPECT_TRUE(words.contains(token.text) || axes.contains(token.text))
            << where << " is nothing";
        continue;
      }
      EXPECT_EQ(found->name->span, token.span) << where;
      EXPECT_FALSE(sema::kindOf(found->meaning).empty());
      std::vector<Span> uses = places.uses(found->meaning);
      EXPECT_NE(std::find(uses.begin(), uses.end(), token.span), uses.end()) << where;
      if (std::optional<Span> declared = sema::declarationOf(found->meaning)) {
        EXPECT_EQ(program.sources.text(*declared), token.text) << where;
        EXPECT_NE(std::find(uses.begin(), uses.end(), *declared), uses.end())
            << where << " is not found where it is declared";
      }
    }
  }
}

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const char *folder : {"tests/frontend/systems", "examples"})
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE) / folder))
      if (entry.path().extension() == ".weft")
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Places : public testing::TestWithParam<fs::path> {};

TEST_P(Places, KnowEveryName) {
  askEverything(Diagnosed(GetParam().string()));
}

INSTANTIATE_TEST_SUITE_P(Programs, Places, testing::ValuesIn(programs()), [](const auto &info) {
  std::string name = (info.param.parent_path().filename() / info.param.stem()).string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

/// What stands at the first `text` behind `after`.
struct Asked {
  Diagnosed program;
  sema::Places places;

  explicit Asked(const std::string &text)
      : program("asked.weft", text), places(**program.checked) {}
  uint32_t offset(std::string_view after, std::string_view text) const {
    std::string_view all = program.sources.file(0).text();
    return static_cast<uint32_t>(all.find(text, all.find(after)));
  }
  std::string kind(std::string_view after, std::string_view text) const {
    const sema::NameAt *found = places.name(0, offset(after, text));
    return found ? std::string(sema::kindOf(found->meaning)) : "nothing";
  }
  size_t uses(std::string_view after, std::string_view text) const {
    return places.uses(places.name(0, offset(after, text))->meaning).size();
  }
  std::string type(std::string_view after, std::string_view text) const {
    const sema::ExprAt *found = places.expr(0, offset(after, text));
    return found ? show(*found->type) : "nothing";
  }
};

TEST(Place, TellsWhatStandsThere) {
  Asked asked(R"(dim batch, d
option act = tanh, wide = true
entry run(x: [batch, d]) -> [batch] {
  if wide {
    y = act(x) * 2
  } else {
    y = x
  }
  sum[d](y + 1)
}
)");
  ASSERT_EQ(asked.program.text(), "");
  EXPECT_EQ(asked.kind("entry", "x"), "a value");
  EXPECT_EQ(asked.kind("if", "wide"), "an option");
  EXPECT_EQ(asked.kind("y =", "act"), "an option");
  EXPECT_EQ(asked.kind("act = ", "tanh"), "a primitive");
  EXPECT_EQ(asked.kind("sum[", "d"), "a dimension");
  EXPECT_EQ(asked.kind("sum[d]", "sum"), "a primitive");
  EXPECT_EQ(asked.kind("", " y = "), "nothing");
  EXPECT_EQ(asked.uses("(y + 1)", "y"), 3u) << "bound in both branches it is one value";
  EXPECT_EQ(asked.uses("run(x", "x"), 3u);
  EXPECT_EQ(asked.type("sum[d]", "sum"), "[batch]");
  EXPECT_EQ(asked.type("sum[d]", "y + 1"), "[batch, d]");
  EXPECT_EQ(asked.type("(y + 1", "+ 1"), "[batch, d]");
  EXPECT_EQ(asked.type("act(x) ", "2"), "int");
}

TEST(Place, OfAWrongProgramIsWhatIsKnown) {
  Asked asked("dim d\nentry run(x: [d]) -> [d] = x + nothing\n");
  EXPECT_TRUE(asked.program.reports(Code::E0204));
  EXPECT_EQ(asked.kind("= x", "x"), "a value");
  EXPECT_EQ(asked.kind("= x", "nothing"), "nothing");
}

} // namespace
