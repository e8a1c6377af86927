// The entrance to the parser.
#include "frontend/syntax/parse/Parser.h"
#include "frontend/syntax/parse/Grammar.h"

using namespace weft;

ast::File weft::parse(const SourceManager &sources, FileId file, Diagnostics &diagnostics) {
  size_t before = diagnostics.all().size();
  Grammar grammar(sources, file, diagnostics);
  ast::File tree{file, sources.file(file).isLibrary(), grammar.parseFile()};
  diagnostics.sortFrom(before); // those of the lexer came first
  return tree;
}
