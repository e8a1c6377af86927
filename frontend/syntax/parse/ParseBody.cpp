// Bodies and their statements.
#include "frontend/syntax/parse/Brackets.h"
#include "frontend/syntax/parse/Grammar.h"
#include "frontend/syntax/parse/Habits.h"

using namespace weft;
using namespace weft::ast;

std::optional<Body> Grammar::body() {
  Span start = current().span;
  Nesting nesting(depth);
  if (nesting.tooDeep()) {
    tooDeep(start);
    return std::nullopt;
  }
  if (!expect(TokenKind::leftBrace, "`{`"))
    return std::nullopt;
  Body body;
  skipNewlines();
  while (!at(TokenKind::rightBrace)) {
    if (atEnd() || (atDeclaration() && !at(TokenKind::kwDim))) {
      unclosed(start);
      body.span = since(start);
      return body;
    }
    uint32_t startIndex = index;
    std::optional<Stmt> stmt = annotatedStatement();
    bool read = stmt.has_value();
    if (read)
      body.stmts.push_back(std::move(*stmt));
    if (!read || !endOfStatement(startIndex))
      recoverInBody(startIndex);
    skipNewlines();
  }
  advance();
  body.span = since(start);
  return body;
}

/// annotations statement
std::optional<Stmt> Grammar::annotatedStatement() {
  std::optional<std::vector<Annotation>> asked = annotations();
  if (!asked)
    return std::nullopt;
  Span start = current().span;
  std::optional<Stmt::Node> node = statement();
  if (!node)
    return std::nullopt;
  if (std::holds_alternative<DimDecl>(*node) || std::holds_alternative<Storage>(*node))
    misplaced(*asked);
  return Stmt{since(start), std::move(*node), std::move(*asked)};
}

/// The end of the statement or declaration that started at token `start`.
bool Grammar::endOfStatement(uint32_t start) {
  if (at(TokenKind::newline) || at(TokenKind::rightBrace) || atEnd())
    return true;
  Diagnostic &error = expected("the end of the line");
  if (std::string_view help = helpForWord(tokens[start].text); !help.empty())
    error.suggest(std::string(help));
  else if (isClosing(current().kind))
    error.suggest(fmt::format("this `{}` closes nothing: remove it", current().text))
        .replace(current().span, "");
  else if (at(TokenKind::at))
    error.suggest(std::string(helpForCharacter("@")));
  else if (tokens[start].is(TokenKind::kwDim) && at(TokenKind::name) && !atDeclaringWord())
    error.suggest(fmt::format("commas stand between dimensions: `, {}`", current().text));
  else
    error.suggest("each statement stands on a line of its own");
  return false;
}

std::optional<Stmt::Node> Grammar::statement() {
  switch (current().kind) {
  case TokenKind::kwDim:
    return dims();
  case TokenKind::kwParam:
    return storage();
  case TokenKind::kwRepeat:
    return repeat();
  case TokenKind::kwIf:
    return conditional();
  default:
    break;
  }
  if (atWord("state") && following().is(TokenKind::name))
    return storage();
  if (at(TokenKind::name) && following().is(TokenKind::assign)) {
    Form form(*this, "`name = expression`");
    Name target = *name("a name");
    advance();
    skipNewlines();
    ExprPtr value = expression();
    if (!value)
      return std::nullopt;
    return Let{std::move(target), std::move(value)};
  }
  if (ExprPtr value = expression())
    return Value{std::move(value)};
  return std::nullopt;
}

/// ("param" | "state") NAME ":" type [ "=" expr ]
std::optional<Storage> Grammar::storage() {
  StorageKind kind = at(TokenKind::kwParam) ? StorageKind::param : StorageKind::state;
  Form form(*this, kind == StorageKind::param ? "`param weight: [in, out] = normal(0.02)`"
                                              : "`state count: float = 0`");
  advance();
  std::optional<Name> declared = name("a name");
  if (!declared || !expect(TokenKind::colon, "`:` and a type"))
    return std::nullopt;
  std::optional<Type> declaredType = type();
  if (!declaredType)
    return std::nullopt;
  ExprPtr init;
  if (take(TokenKind::assign)) {
    skipNewlines();
    init = expression();
    if (!init)
      return std::nullopt;
  }
  return Storage{kind, std::move(*declared), std::move(*declaredType), std::move(init)};
}

/// "repeat" "[" NAME "]" body
std::optional<Repeat> Grammar::repeat() {
  Form form(*this, "`repeat[layer] { x = ... }`");
  advance();
  if (!open(TokenKind::leftSquare)) {
    expected("`[` and the dimension to repeat over");
    return std::nullopt;
  }
  std::optional<Name> dim = name("a dimension");
  if (!dim || !close(TokenKind::rightSquare))
    return std::nullopt;
  skipNewlines();
  std::optional<Body> repeated = body();
  if (!repeated)
    return std::nullopt;
  return Repeat{std::move(*dim), std::move(*repeated)};
}

/// "if" expr body [ "else" body ]
std::optional<If> Grammar::conditional() {
  Form form(*this, "`if switch { y = a } else { y = b }`");
  advance();
  ExprPtr condition = expression();
  if (!condition)
    return std::nullopt;
  skipNewlines();
  std::optional<Body> then = body();
  if (!then)
    return std::nullopt;
  uint32_t afterBody = index;
  skipNewlines();
  if (!at(TokenKind::kwElse)) {
    index = afterBody;
    return If{std::move(condition), std::move(*then), std::nullopt};
  }
  advance();
  skipNewlines();
  if (at(TokenKind::kwIf)) {
    expected("`{`").suggest("put the second `if` into braces: `else { if ... }`");
    return std::nullopt;
  }
  std::optional<Body> otherwise = body();
  if (!otherwise)
    return std::nullopt;
  return If{std::move(condition), std::move(*then), std::move(otherwise)};
}
