// The lexer: from text to tokens. Comments are kept aside for the formatter.
#pragma once

#include "frontend/source/Diagnostic.h"

#include <string_view>
#include <vector>

namespace weft {

enum class TokenKind : uint8_t {
  end,
  newline, ///< one or more line ends; the parser decides where they matter
  name,    ///< also the words that are special only where they stand: `entry`, `state`, `with` …
  number,
  string,
  bad, ///< what is no token and was reported: the parser goes around it silently
  // reserved words
  kwDim,
  kwFn,
  kwBlock,
  kwParam,
  kwRepeat,
  kwIf,
  kwElse,
  kwAs,
  kwAnd,
  kwOr,
  kwNot,
  kwTrue,
  kwFalse,
  // brackets
  leftParen,
  rightParen,
  leftSquare,
  rightSquare,
  leftBrace,
  rightBrace,
  // the rest
  comma,
  colon,
  dot,
  dotDot,
  question,
  bar,
  arrow,
  assign,
  plus,
  minus,
  star,
  slash,
  percent,
  caret,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equalEqual,
  notEqual,
  at, ///< `@`, which starts an annotation
};

struct Token {
  TokenKind kind = TokenKind::end;
  bool firstOnLine = false;
  std::string_view text; ///< into the file; empty for `end`
  Span span;
  /// Of an opening bracket, the index of the token that closes it; 0 where nothing does.
  uint32_t match = 0;

  bool is(TokenKind other) const { return kind == other; }
};

struct Comment {
  std::string_view text; ///< from `#` to the end of the line, without spaces at the end
  Span span;
  bool ownLine = false; ///< nothing but spaces stands before it
};

/// The tokens of a file, the last of them `end`, and its comments, both in order.
struct Tokens {
  std::vector<Token> list;
  std::vector<Comment> comments;
  bool isText = true; ///< false: not a text file at all, and the list holds only `end`
};

Tokens lex(const SourceManager &sources, FileId file, Diagnostics &diagnostics);

/// Whether `kind` is a word that cannot be a name.
bool isReserved(TokenKind kind);

} // namespace weft
