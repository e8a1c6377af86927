// A place in the tokens of a file: what is next, what was expected, and where to go on after an
// error.
#pragma once

#include "frontend/syntax/Ast.h"
#include "frontend/syntax/parse/Lexer.h"

#include <fmt/format.h>
#include <optional>

namespace weft {

/// Walks over tokens. Between `( )` and `[ ]` newlines are not seen.
class Cursor {
protected:
  Cursor(const SourceManager &sources, FileId file, Diagnostics &diagnostics);

  const Token &current() const { return tokens[index]; }
  /// The token after the current one, over newlines where they are not seen.
  const Token &following() const;
  bool at(TokenKind kind) const { return current().is(kind); }
  /// Whether the word `word`, special only here, is next.
  bool atWord(std::string_view word) const;
  bool atEnd() const { return at(TokenKind::end); }
  void advance();
  bool take(TokenKind kind);
  void skipNewlines();

  /// Enters a bracket, if the current token is `kind`.
  bool open(TokenKind kind);
  /// Leaves the innermost bracket through `kind`, or reports what is missing. `items`: what else
  /// could have stood here, for the message.
  bool close(TokenKind kind, std::string_view items = "");

  /// Reports that the `{` at `brace` is not closed before the current token.
  void unclosed(Span brace);
  /// The token that opened the innermost bracket.
  uint32_t enclosing() const { return openers.back(); }

  /// From the start of `first` to the end of the last token that was read.
  Span since(Span first) const { return join(first, lastSpan); }
  /// Where something is missing: the current token, or the end of the line.
  Span here() const;

  /// What is being read, as an example: the help of what is reported meanwhile.
  class Form {
  public:
    Form(Cursor &cursor, std::string_view form) : cursor(cursor), outer(cursor.form) {
      cursor.form = form;
    }
    ~Form() { cursor.form = outer; }
    Form(const Form &) = delete;

  private:
    Cursor &cursor;
    std::string_view outer;
  };

  /// Reports that something else was expected, unless the current token was reported already. Its
  /// help is the form that is being read; the caller may know a better one.
  Diagnostic &expected(std::string_view what);
  std::optional<ast::Name> name(std::string_view what);
  bool expect(TokenKind kind, std::string_view what);

  /// Whether a declaration starts here, at the start of a line.
  bool atDeclaration() const;
  /// Whether a word is next that only a declaration begins with: `entry loss`.
  bool atDeclaringWord() const;
  /// Goes to the end of the broken statement that started at token `start`.
  void recoverInBody(uint32_t start);
  /// Goes to the next declaration after the broken one that started at token `start`.
  void recoverInFile(uint32_t start);
  /// Gives this file up: nothing more is read or reported.
  void stop();

  /// Reports the second of two equal names in `names`.
  void requireDistinct(const std::vector<const ast::Name *> &names, std::string_view what);

  const SourceManager &sources;
  FileId file;
  Diagnostics &diagnostics;
  std::vector<Token> tokens;
  uint32_t index = 0;
  bool stopped = false;

private:
  bool startsLine(const Token &token) const;
  void neverClosed(Span bracket, std::string_view opening, std::string_view closing);

  std::vector<uint32_t> openers; ///< brackets that were entered and not left
  Span lastSpan;
  std::string_view form;
  uint32_t reportedAt = UINT32_MAX;
  Diagnostic silent; ///< takes what is said about a place that was reported already
};

/// How a token is called in messages: "`)`", "end of line".
std::string describe(const Token &token);

/// How often a bracket, an operator or a body may stand inside another.
class Nesting {
public:
  explicit Nesting(uint32_t &depth) : depth(depth) { ++depth; }
  ~Nesting() { --depth; }
  Nesting(const Nesting &) = delete;
  bool tooDeep() const { return depth > ast::maxDepth; }

private:
  uint32_t &depth;
};

} // namespace weft
