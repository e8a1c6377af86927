// Everything the front end has to say about a program: the stages that tests of diagnostics run.
#pragma once

#include "frontend/check/Checker.h"
#include "frontend/syntax/parse/Parser.h"

#include <string>

namespace weft::test {

/// The program in the file `path`, with what was reported about it.
struct Diagnosed {
  SourceManager sources;
  Diagnostics diagnostics;
  ast::Program program;
  std::optional<CheckedProgram> checked; ///< unless there are errors of syntax

  explicit Diagnosed(const std::string &path) {
    program = loadProgram(path, sources, diagnostics);
    runStages();
  }
  Diagnosed(const std::string &name, std::string text) {
    program = loadProgram(name, std::move(text), sources, diagnostics);
    runStages();
  }
  std::string text() const { return render(diagnostics, sources); }
  bool reports(Code code) const {
    for (const Diagnostic &diagnostic : diagnostics.all())
      if (diagnostic.code == code)
        return true;
    return false;
  }

private:
  /// Stages after the parser run only on programs without errors of syntax.
  void runStages() {
    if (!diagnostics.hasErrors())
      checked.emplace(check(program, diagnostics));
  }
};

} // namespace weft::test
