// A program, built: the module as text, or what was reported.
#pragma once

#include "frontend/check/Checker.h"
#include "frontend/lower/ModelBuilder.h"
#include "frontend/syntax/parse/Parser.h"

#include <sstream>
#include <string>

namespace weft::test {

/// Reads `--config C --set a=1,b=2 --entry e --probe p`, as in the first line of an example: `#
/// weft build
/// --set model=8`.
inline BuildOptions optionsFrom(const std::string &line) {
  BuildOptions options;
  std::istringstream words(line);
  for (std::string word, value; words >> word;) {
    if (word == "--config")
      words >> options.settings.config;
    if (word == "--entry" && words >> value)
      options.entries.push_back(value);
    if (word == "--probe" && words >> value)
      options.probes.push_back(value);
    if (word != "--set" || !(words >> value))
      continue;
    std::istringstream list(value);
    for (std::string item; std::getline(list, item, ',');)
      options.settings.set.emplace_back(item.substr(0, item.find('=')),
                                        item.substr(item.find('=') + 1));
  }
  return options;
}

struct Built {
  SourceManager sources;
  Diagnostics diagnostics;
  mlir::MLIRContext context;
  ast::Program program;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  Built(std::string text, const BuildOptions &options, const std::string &name = "test.weft") {
    program = loadProgram(name, std::move(text), sources, diagnostics);
    build(options);
  }
  /// A program that names its options in its first line.
  explicit Built(const std::string &text, const std::string &name = "test.weft")
      : Built(text, optionsFrom(text.substr(0, text.find('\n'))), name) {}
  struct File {
    std::string path;
  };
  Built(const File &file, const BuildOptions &options) {
    program = loadProgram(file.path, sources, diagnostics);
    build(options);
  }

  std::string errors() const { return render(diagnostics, sources); }
  bool reports(Code code) const {
    for (const Diagnostic &diagnostic : diagnostics.all())
      if (diagnostic.code == code)
        return true;
    return false;
  }
  /// The module as text, with the source's names.
  std::string text() {
    std::string out;
    llvm::raw_string_ostream stream(out);
    if (module)
      module->print(stream, mlir::OpPrintingFlags().printNameLocAsPrefix());
    return out;
  }

private:
  void build(const BuildOptions &options) {
    if (diagnostics.hasErrors())
      return;
    Diagnostics said; // of warnings nothing is asked here
    CheckedProgram checked = check(program, said);
    for (const Diagnostic &each : said.all())
      if (!checked && each.severity == Severity::error)
        diagnostics.add(each);
    module = buildModel(checked, options, sources, context, diagnostics);
  }
};

} // namespace weft::test
