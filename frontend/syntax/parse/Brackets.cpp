// Pairs brackets in one pass, also where some are missing.
#include "frontend/syntax/parse/Brackets.h"

using namespace weft;

bool weft::isOpening(TokenKind kind) {
  return kind == TokenKind::leftParen || kind == TokenKind::leftSquare ||
         kind == TokenKind::leftBrace;
}

bool weft::isClosing(TokenKind kind) {
  return kind == TokenKind::rightParen || kind == TokenKind::rightSquare ||
         kind == TokenKind::rightBrace;
}

namespace {

/// Open brackets between two levels of braces.
struct Level {
  uint32_t brace = 0; ///< the `{` that starts it; unused for the first level
  std::vector<uint32_t> open;
  size_t parens = 0;
  size_t squares = 0;
};

} // namespace

void weft::pairBrackets(std::vector<Token> &tokens) {
  std::vector<Level> levels(1);
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    TokenKind kind = tokens[i].kind;
    Level &level = levels.back();
    if (kind == TokenKind::leftBrace) {
      levels.push_back({i, {}, 0, 0});
    } else if (isOpening(kind)) {
      level.open.push_back(i);
      ++(kind == TokenKind::leftParen ? level.parens : level.squares);
    } else if (kind == TokenKind::rightBrace && levels.size() > 1) {
      tokens[level.brace].match = i;
      levels.pop_back();
    } else if (kind == TokenKind::rightParen || kind == TokenKind::rightSquare) {
      TokenKind wanted =
          kind == TokenKind::rightParen ? TokenKind::leftParen : TokenKind::leftSquare;
      if ((kind == TokenKind::rightParen ? level.parens : level.squares) == 0)
        continue;
      for (bool found = false; !found; level.open.pop_back()) {
        Token &opener = tokens[level.open.back()];
        --(opener.is(TokenKind::leftParen) ? level.parens : level.squares);
        found = opener.is(wanted);
        if (found)
          opener.match = i;
      }
    }
  }
}
