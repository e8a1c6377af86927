// Moving over tokens, saying what was expected, and recovering from errors.
#include "frontend/syntax/parse/Cursor.h"

#include <unordered_map>

using namespace weft;

std::string weft::describe(const Token &token) {
  switch (token.kind) {
  case TokenKind::end:
    return "the end of the file";
  case TokenKind::newline:
    return "the end of the line";
  case TokenKind::string:
    return "a string";
  default:
    break;
  }
  constexpr size_t longest = 40;
  if (token.text.size() > longest)
    return fmt::format("`{}…`", token.text.substr(0, longest));
  return fmt::format("`{}`", token.text);
}

static std::string_view spelling(TokenKind kind) {
  switch (kind) {
  case TokenKind::rightParen:
    return ")";
  case TokenKind::rightSquare:
    return "]";
  default:
    return "}";
  }
}

Cursor::Cursor(const SourceManager &sources, FileId file, Diagnostics &diagnostics)
    : sources(sources), file(file), diagnostics(diagnostics), lastSpan{file, 0, 0} {
  Tokens lexed = lex(sources, file, diagnostics);
  tokens = std::move(lexed.list);
  stopped = !lexed.isText;
}

bool Cursor::atWord(std::string_view word) const {
  return at(TokenKind::name) && current().text == word;
}

const Token &Cursor::following() const {
  uint32_t next = std::min<uint32_t>(index + 1, tokens.size() - 1);
  while (!openers.empty() && tokens[next].is(TokenKind::newline))
    ++next;
  return tokens[next];
}

void Cursor::advance() {
  lastSpan = current().span;
  if (!atEnd())
    ++index;
  if (!openers.empty())
    skipNewlines();
}

bool Cursor::take(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

void Cursor::skipNewlines() {
  while (at(TokenKind::newline))
    ++index;
}

bool Cursor::open(TokenKind kind) {
  if (!at(kind))
    return false;
  openers.push_back(index);
  advance();
  return true;
}

bool Cursor::close(TokenKind kind, std::string_view items) {
  uint32_t opener = openers.back();
  if (at(kind)) {
    openers.pop_back();
    advance();
    return true;
  }
  if (tokens[opener].match != 0 || at(TokenKind::bad)) {
    expected(items.empty() ? fmt::format("`{}`", spelling(kind))
                           : fmt::format("{} or `{}`", items, spelling(kind)));
    return false;
  }
  neverClosed(tokens[opener].span, tokens[opener].text, spelling(kind));
  return false;
}

void Cursor::unclosed(Span brace) {
  neverClosed(brace, "{", "}");
}

void Cursor::neverClosed(Span bracket, std::string_view opening, std::string_view closing) {
  if (!stopped && reportedAt != index) {
    // What was meant to be inside ends with its line.
    bool onNextLine = current().firstOnLine || atEnd();
    Span missing = onNextLine ? Span{file, lastSpan.end, lastSpan.end} : here();
    missing.end = missing.begin;
    diagnostics.error(Code::E0101, bracket, fmt::format("this `{}` is never closed", opening))
        .label(here(), fmt::format("`{}` is missing before this", closing))
        .suggest(fmt::format("close it with `{}`", closing))
        .replace(missing, opening == "{" ? "\n}" : std::string(closing));
  }
  reportedAt = index;
}

Span Cursor::here() const {
  if (at(TokenKind::newline) || atEnd())
    return {file, lastSpan.end, lastSpan.end};
  return current().span;
}

Diagnostic &Cursor::expected(std::string_view what) {
  if (stopped || reportedAt == index || at(TokenKind::bad))
    return silent;
  reportedAt = index;
  return diagnostics
      .error(Code::E0100, here(), fmt::format("expected {}, found {}", what, describe(current())))
      .suggest(std::string(form));
}

std::optional<ast::Name> Cursor::name(std::string_view what) {
  if (at(TokenKind::name)) {
    ast::Name name{std::string(current().text), current().span};
    advance();
    return name;
  }
  if (!isReserved(current().kind) || startsLine(current())) {
    expected(what);
    return std::nullopt;
  }
  if (!stopped && reportedAt != index)
    diagnostics
        .error(Code::E0103, current().span,
               fmt::format("expected {}, but `{}` is a reserved word", what, current().text))
        .suggest(fmt::format("take another name, such as `{}_`", current().text));
  reportedAt = index;
  return std::nullopt;
}

bool Cursor::expect(TokenKind kind, std::string_view what) {
  if (take(kind))
    return true;
  expected(what);
  return false;
}

bool Cursor::startsLine(const Token &token) const {
  std::string_view text = sources.file(file).text();
  return token.span.begin == 0 || text[token.span.begin - 1] == '\n';
}

bool Cursor::atDeclaration() const {
  const Token &token = current();
  if (!token.firstOnLine)
    return false;
  if (token.is(TokenKind::kwFn) || token.is(TokenKind::kwBlock))
    return true;
  if (token.is(TokenKind::kwDim))
    return startsLine(token); // indented, it is a statement
  return atDeclaringWord();
}

bool Cursor::atDeclaringWord() const {
  if (!at(TokenKind::name))
    return false;
  // No statement starts with two words, except where the second is an operator.
  TokenKind next = tokens[index + 1].kind;
  bool isOperator = next == TokenKind::kwAnd || next == TokenKind::kwOr || next == TokenKind::kwAs;
  if (isOperator || (next != TokenKind::name && !isReserved(next)))
    return false;
  for (std::string_view word : {"entry", "option", "config", "weights", "use"})
    if (current().text == word)
      return true;
  return false;
}

void Cursor::recoverInBody(uint32_t start) {
  // A bracket that is closed further down holds the rest of the statement.
  if (!openers.empty() && tokens[openers.front()].match != 0)
    index = std::max(index, tokens[openers.front()].match + 1);
  else if (index > start && current().firstOnLine && !at(TokenKind::bad))
    return openers.clear(); // the error was seen only at the start of the next statement
  openers.clear();
  for (uint32_t depth = 0; !atEnd() && !atDeclaration(); ++index) {
    if (depth == 0 && (at(TokenKind::newline) || at(TokenKind::rightBrace)))
      return;
    if (at(TokenKind::leftBrace))
      ++depth;
    if (at(TokenKind::rightBrace))
      --depth;
  }
}

void Cursor::recoverInFile(uint32_t start) {
  openers.clear();
  if (index == start && !atEnd())
    ++index;
  while (!atEnd() && !atDeclaration())
    ++index;
}

void Cursor::stop() {
  stopped = true;
  index = static_cast<uint32_t>(tokens.size() - 1);
  openers.clear();
}

void Cursor::requireDistinct(const std::vector<const ast::Name *> &names, std::string_view what) {
  if (stopped)
    return;
  std::unordered_map<std::string_view, const ast::Name *> seen;
  for (const ast::Name *name : names) {
    auto [first, isNew] = seen.try_emplace(name->text, name);
    if (!isNew)
      diagnostics
          .error(Code::E0106, name->span, fmt::format("{} `{}` is said twice", what, name->text))
          .label(first->second->span, "first here")
          .suggest("leave one of them out");
  }
}
