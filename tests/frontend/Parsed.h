// A piece of a program, parsed, with what was reported about it.
#pragma once

#include "frontend/syntax/parse/Parser.h"

#include <string>

namespace weft::test {

struct Parsed {
  SourceManager sources;
  Diagnostics diagnostics;
  ast::File file;

  explicit Parsed(std::string text, std::string name = "test.weft") {
    FileId id = sources.add(std::move(name), std::move(text));
    file = parse(sources, id, diagnostics);
  }
  std::string dump() const { return ast::dump(file); }
  std::string errors() const { return render(diagnostics, sources); }
  /// "E0100 2:5" for each error, one a line.
  std::string places() const {
    std::string out;
    for (const Diagnostic &diagnostic : diagnostics.all()) {
      Position at = sources.position(diagnostic.labels.front().span);
      out += std::string(info(diagnostic.code).name) + " " + std::to_string(at.line) + ":" +
             std::to_string(at.column) + "\n";
    }
    return out;
  }
};

} // namespace weft::test
