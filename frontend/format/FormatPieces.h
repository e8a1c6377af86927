// The formatter's view of a file: its tokens, with the comments and line breaks that stand before
// them.
#pragma once

#include "frontend/syntax/Ast.h"
#include "frontend/syntax/parse/Lexer.h"

#include <vector>

namespace weft::formatting {

struct Remark {
  std::string_view text;
  bool blankBefore = false;
};

/// A token that is to be written.
struct Piece {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  uint32_t offset = 0;
  uint32_t match = 0;            ///< of a bracket, the piece that is its partner
  bool breakBefore = false;      ///< a line starts here
  bool blankBefore = false;      ///< after an empty line
  bool startsStatement = false;  ///< of a declaration, a statement or a rule of `weights`
  bool startsDefinition = false; ///< first of the expression after a function's `=`
  bool unary = false;            ///< a sign, not an operator between two values
  unsigned padding = 0;          ///< spaces before it that align it with its neighbours
  std::vector<Remark> above;     ///< comments on lines of their own before it
  std::string_view beside;       ///< the comment at the end of its line
};

/// The pieces of a file without errors; the last is the end of the file. Line breaks are those of
/// the author, except where there is only one way.
std::vector<Piece> piecesOf(const SourceFile &source, const Tokens &tokens, const ast::File &file);

/// The piece that starts at byte `offset` of the file.
uint32_t pieceAt(const std::vector<Piece> &pieces, uint32_t offset);

/// Whether a space stands between two pieces of one line.
bool spaceBetween(const Piece &left, const Piece &right);

/// Columns of the pieces `first` to `last` (inclusive) in one line, without padding.
unsigned widthOf(const std::vector<Piece> &pieces, uint32_t first, uint32_t last);

/// Sets the padding of pieces that stand below each other in neighbouring statements of one kind.
void align(std::vector<Piece> &pieces, const ast::File &file);

/// The text, with lines that are too long broken.
std::string layOut(std::vector<Piece> pieces);

} // namespace weft::formatting
