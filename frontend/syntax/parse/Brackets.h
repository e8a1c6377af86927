// Which bracket closes which.
#pragma once

#include "frontend/syntax/parse/Lexer.h"

namespace weft {

/// Sets `match` of every opening bracket that is closed. A `}` closes its `{` over whatever was
/// left open inside; a `)` or `]` never reaches out of its braces.
void pairBrackets(std::vector<Token> &tokens);

bool isOpening(TokenKind kind);
bool isClosing(TokenKind kind);

} // namespace weft
