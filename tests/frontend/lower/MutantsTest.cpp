// Programs with one slip in them: whatever the checker says, it survives, and what it passes the
// builder survives.
#include "frontend/check/Checker.h"
#include "frontend/lower/ModelBuilder.h"
#include "frontend/syntax/parse/Lexer.h"
#include "frontend/syntax/parse/Parser.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

#include <unistd.h>

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// Slips per program; WEFT_MUTANTS sets another number.
size_t count() {
  const char *given = std::getenv("WEFT_MUTANTS");
  return given ? std::strtoul(given, nullptr, 10) : 60;
}

/// Makes one slip at a time: a token lost, doubled, exchanged, misspelt or taken from elsewhere.
class Mutator {
public:
  Mutator(std::string text, unsigned seed) : text(std::move(text)), random(seed) {
    FileId file = sources.add("original.weft", this->text);
    Diagnostics diagnostics;
    for (const Token &token : lex(sources, file, diagnostics).list)
      if (!token.text.empty() && !token.is(TokenKind::newline))
        tokens.emplace_back(token.span.begin, token.text);
  }

  std::string next() {
    std::string mutant = text;
    // Half of them twice: slips of one hand come in pairs.
    for (size_t slips = 1 + pick(2); slips > 0; --slips)
      slip(mutant);
    return mutant;
  }

private:
  size_t pick(size_t below) { return random() % below; }

  void slip(std::string &mutant) {
    auto [at, word] = tokens[pick(tokens.size())];
    if (at > mutant.size() || mutant.compare(at, word.size(), word) != 0)
      return; // the first slip moved it
    std::string other(tokens[pick(tokens.size())].second);
    const char *numbers[] = {"0", "1", "-1", "2.5", "4294967296", "9223372036854775807"};
    std::string replacement;
    switch (pick(7)) {
    case 0:
      break; // lost
    case 1:
      replacement = std::string(word) + " " + std::string(word);
      break;
    case 2:
    case 3:
      replacement = other;
      break;
    case 4:
      replacement = std::string(word) + "s";
      break;
    case 5:
      replacement = numbers[pick(std::size(numbers))];
      break;
    default:
      replacement = other + " " + std::string(word);
    }
    mutant.replace(at, word.size(), replacement);
  }

  std::string text;
  SourceManager sources;
  std::vector<std::pair<size_t, std::string_view>> tokens;
  std::mt19937 random; // the same numbers on every machine
};

/// Small sizes for whatever the program leaves open and its parameters need.
BuildOptions sized(const ast::Program &program) {
  BuildOptions options;
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *dims = declaration.as<ast::DimDecl>(); dims && !file.library)
        for (const ast::DimDef &def : dims->defs)
          if (!def.size && def.parts.empty() && def.name.text != "batch" && def.name.text != "seq")
            options.settings.set.emplace_back(def.name.text, "4");
  return options;
}

class Mutants : public testing::TestWithParam<fs::path> {};

TEST_P(Mutants, AreSurvived) {
  std::ifstream stream(GetParam());
  std::stringstream text;
  text << stream.rdbuf();
  Mutator mutator(text.str(), 1);
  fs::path kept = fs::path(testing::TempDir()) / ("mutant-" + std::to_string(getpid()) + ".weft");
  for (size_t i = 0; i < count(); ++i) {
    std::string mutant = mutator.next();
    std::ofstream(kept) << mutant; // what is there after a crash is the program that caused it
    SourceManager sources;
    Diagnostics diagnostics;
    // Beside the original, so that `use` finds its files.
    ast::Program program = loadProgram(GetParam().string(), mutant, sources, diagnostics);
    std::optional<CheckedProgram> checked;
    if (!diagnostics.hasErrors())
      checked.emplace(check(program, diagnostics));
    EXPECT_FALSE(render(diagnostics, sources).empty() && diagnostics.hasErrors()) << kept;
    renderJson(diagnostics, sources);
    if (diagnostics.hasErrors())
      continue;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    Diagnostics building;
    auto module = buildModel(*checked, sized(program), sources, context, building);
    EXPECT_EQ(!module, building.hasErrors()) << "neither a module nor an error:\n" << mutant;
  }
  fs::remove(kept);
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

INSTANTIATE_TEST_SUITE_P(Programs, Mutants, testing::ValuesIn(programs()), [](const auto &info) {
  std::string name = (info.param.parent_path().filename() / info.param.stem()).string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

} // namespace
