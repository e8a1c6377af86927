// Formats a file: parse, take its tokens, align, lay out.
#include "frontend/format/Formatter.h"
#include "frontend/format/FormatPieces.h"
#include "frontend/syntax/parse/Parser.h"

using namespace weft;

std::optional<std::string> weft::format(const SourceManager &sources, FileId file,
                                        Diagnostics &diagnostics) {
  size_t errorsBefore = diagnostics.errorCount();
  ast::File tree = parse(sources, file, diagnostics);
  if (diagnostics.errorCount() != errorsBefore)
    return std::nullopt;
  Diagnostics reported; // by the parser already
  Tokens tokens = lex(sources, file, reported);
  std::vector<formatting::Piece> pieces = formatting::piecesOf(sources.file(file), tokens, tree);
  formatting::align(pieces, tree);
  return formatting::layOut(std::move(pieces));
}
