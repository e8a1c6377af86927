// Reads a program: its file, those it uses, and the library.
#include "frontend/source/Embedded.h"
#include "frontend/syntax/parse/Parser.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unordered_set>

using namespace weft;
using namespace weft::ast;
namespace fs = std::filesystem;

namespace {

/// A file's text, or why there is none.
struct ReadResult {
  std::optional<std::string> text;
  std::string problem;
  bool tooLarge = false;
};

ReadResult readText(const fs::path &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return {std::nullopt, "there is no such file"};
  if (fs::is_directory(status))
    return {std::nullopt, "it is a folder"};
  uintmax_t size = fs::file_size(path, error);
  ReadResult tooLarge{
      std::nullopt, fmt::format("it has more than {} MB", SourceManager::maxFileSize >> 20), true};
  if (!error && size > SourceManager::maxFileSize)
    return tooLarge;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return {std::nullopt, "it cannot be opened"};
  // A pipe has no size, so the limit is kept while reading.
  std::string text;
  char buffer[1 << 16];
  while (stream.read(buffer, sizeof buffer), stream.gcount() > 0) {
    text.append(buffer, stream.gcount());
    if (text.size() > SourceManager::maxFileSize)
      return tooLarge;
  }
  if (stream.bad())
    return {std::nullopt, "it cannot be read"};
  return {std::move(text), ""};
}

/// One spelling for each file, so that it is read once.
std::string identity(const fs::path &path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(path, error);
  return (error ? path.lexically_normal() : canonical).string();
}

class Loader {
public:
  Loader(SourceManager &sources, Diagnostics &diagnostics)
      : sources(sources), diagnostics(diagnostics) {}

  Program load(const std::string &name, std::string text) {
    seen.insert(identity(name));
    add(name, std::move(text), /*library=*/false);
    // `use` appends files, so the list grows while it is read.
    for (size_t i = 0; i < program.files.size(); ++i)
      readUsed(i);
    for (const EmbeddedFile &file : embeddedLibrary())
      add(fmt::format("library/{}", file.name), std::string(file.text), /*library=*/true);
    return std::move(program);
  }

private:
  void add(std::string name, std::string text, bool library) {
    FileId id = sources.add(std::move(name), std::move(text), library);
    program.files.push_back(parse(sources, id, diagnostics));
  }

  void readUsed(size_t user) {
    fs::path folder = fs::path(sources.file(program.files[user].id).name()).parent_path();
    std::vector<Name> used;
    for (const Declaration &declaration : program.files[user].declarations)
      if (auto *use = declaration.as<Use>())
        used.push_back(use->name);
    for (const Name &name : used) {
      fs::path path = folder / (name.text + ".weft");
      if (!seen.insert(identity(path)).second)
        continue;
      ReadResult read = readText(path);
      if (read.text)
        add(path.string(), std::move(*read.text), /*library=*/false);
      else
        diagnostics
            .error(
                Code::E0003, name.span,
                fmt::format("`{}` cannot be used: {}: {}", name.text, path.string(), read.problem))
            .suggest("`use name` reads `name.weft` from the folder of this file");
    }
  }

  SourceManager &sources;
  Diagnostics &diagnostics;
  Program program;
  std::unordered_set<std::string> seen;
};

} // namespace

Program weft::loadProgram(const std::string &path, SourceManager &sources,
                          Diagnostics &diagnostics) {
  ReadResult read = readText(path);
  if (read.text)
    return loadProgram(path, std::move(*read.text), sources, diagnostics);
  diagnostics.error(Code::E0003, fmt::format("{}: {}", path, read.problem))
      .suggest(read.tooLarge ? "is it a program? Several files are joined by `use`"
                             : "give the path of a `.weft` file");
  return {};
}

Program weft::loadProgram(const std::string &name, std::string text, SourceManager &sources,
                          Diagnostics &diagnostics) {
  return Loader(sources, diagnostics).load(name, std::move(text));
}
