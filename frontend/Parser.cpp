// The entrance to the parser.
#include "frontend/Parser.h"
#include "frontend/Grammar.h"

using namespace weft;

ast::File weft::parse(const SourceManager &sources, FileId file, Diagnostics &diagnostics) {
  Grammar grammar(sources, file, diagnostics);
  return {file, sources.file(file).isLibrary(), grammar.parseFile()};
}
