// Splits text into tokens; what is no token is an error and left out.
#include "frontend/syntax/parse/Lexer.h"
#include "frontend/syntax/parse/Brackets.h"
#include "frontend/syntax/parse/Habits.h"
#include "runtime/base/Utf8.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

using namespace weft;
using runtime::CodePoint, runtime::nextCodePoint;

namespace {

constexpr std::pair<std::string_view, TokenKind> reserved[] = {
    {"dim", TokenKind::kwDim},     {"fn", TokenKind::kwFn},   {"block", TokenKind::kwBlock},
    {"param", TokenKind::kwParam}, {"if", TokenKind::kwIf},   {"repeat", TokenKind::kwRepeat},
    {"else", TokenKind::kwElse},   {"as", TokenKind::kwAs},   {"and", TokenKind::kwAnd},
    {"or", TokenKind::kwOr},       {"not", TokenKind::kwNot}, {"true", TokenKind::kwTrue},
    {"false", TokenKind::kwFalse},
};

// Longer ones first, so that `<=` is not `<` and `=`.
constexpr std::pair<std::string_view, TokenKind> punctuation[] = {
    {"..", TokenKind::dotDot},       {"->", TokenKind::arrow},      {"<=", TokenKind::lessEqual},
    {">=", TokenKind::greaterEqual}, {"==", TokenKind::equalEqual}, {"!=", TokenKind::notEqual},
    {"(", TokenKind::leftParen},     {")", TokenKind::rightParen},  {"[", TokenKind::leftSquare},
    {"]", TokenKind::rightSquare},   {"{", TokenKind::leftBrace},   {"}", TokenKind::rightBrace},
    {",", TokenKind::comma},         {":", TokenKind::colon},       {".", TokenKind::dot},
    {"?", TokenKind::question},      {"|", TokenKind::bar},         {"=", TokenKind::assign},
    {"+", TokenKind::plus},          {"-", TokenKind::minus},       {"*", TokenKind::star},
    {"/", TokenKind::slash},         {"%", TokenKind::percent},     {"^", TokenKind::caret},
    {"<", TokenKind::less},          {">", TokenKind::greater},     {"@", TokenKind::at},
};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool startsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continuesName(char c) {
  return startsName(c) || isDigit(c);
}

/// The first byte that no text file has.
std::optional<size_t> firstBadByte(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    CodePoint point = nextCodePoint(text.substr(at));
    if (point.value == 0 || point.value == CodePoint::invalid)
      return at;
    at += point.length;
  }
  return std::nullopt;
}

bool isIn(char32_t code, std::initializer_list<std::pair<char32_t, char32_t>> ranges) {
  for (auto [first, last] : ranges)
    if (code >= first && code <= last)
      return true;
  return false;
}

/// Spaces of other scripts, and what only steers how text is shown.
bool isInvisible(char32_t code) {
  return isIn(code, {{0x80, 0xA0},
                     {0xAD, 0xAD},
                     {0x1680, 0x1680},
                     {0x180E, 0x180E},
                     {0x2000, 0x200F},
                     {0x2028, 0x202F},
                     {0x205F, 0x206F},
                     {0x3000, 0x3000},
                     {0xFEFF, 0xFEFF},
                     {0xE0000, 0xE01EF}});
}

/// Embeddings, overrides and isolates: a line with one of them reads other than it is.
bool turnsDirection(char32_t code) {
  return isIn(code, {{0x202A, 0x202E}, {0x2066, 0x2069}});
}

class Lexer {
public:
  Lexer(std::string_view text, FileId file, Diagnostics &diagnostics)
      : text(text), file(file), diagnostics(diagnostics) {}

  Tokens run();

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  Span from(size_t begin) const {
    return {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(at)};
  }
  void push(TokenKind kind, size_t begin);
  void comment();
  void newline();
  void name();
  void number();
  void string();
  void other();
  void unexpected();
  void refuseTurns(size_t begin, size_t end);

  std::string_view text;
  FileId file;
  Diagnostics &diagnostics;
  Tokens out;
  size_t at = 0;
  bool lineStart = true;
};

void Lexer::push(TokenKind kind, size_t begin) {
  out.list.push_back({kind, lineStart, text.substr(begin, at - begin), from(begin)});
  lineStart = false;
}

void Lexer::comment() {
  size_t begin = at;
  at = std::min(text.find('\n', at), text.size());
  refuseTurns(begin, at);
  size_t end = text.find_last_not_of(" \t\r", at - 1) + 1;
  Span span{file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  out.comments.push_back({text.substr(begin, end - begin), span, lineStart});
}

void Lexer::newline() {
  size_t begin = at++;
  if (out.list.empty() || !out.list.back().is(TokenKind::newline))
    push(TokenKind::newline, begin);
  lineStart = true;
}

void Lexer::name() {
  size_t begin = at;
  while (continuesName(peek()))
    ++at;
  std::string_view word = text.substr(begin, at - begin);
  for (auto [spelling, kind] : reserved)
    if (spelling == word)
      return push(kind, begin);
  push(TokenKind::name, begin);
}

/// digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
void Lexer::number() {
  size_t begin = at;
  std::string_view wrong;
  std::string help;
  auto shown = [&] { return text.substr(begin, std::min<size_t>(at - begin, 40)); };
  auto needsDigits = [&](std::string_view message) {
    if (isDigit(peek()))
      return;
    wrong = message;
    help = fmt::format("write `{}0`", shown());
  };
  while (isDigit(peek()))
    ++at;
  if (peek() == '.' && peek(1) != '.') {
    ++at;
    needsDigits("digits are missing after the point");
    while (isDigit(peek()))
      ++at;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    if (peek() == '+' || peek() == '-')
      ++at;
    needsDigits("digits are missing in the exponent");
    while (isDigit(peek()))
      ++at;
  }
  if (continuesName(peek())) {
    while (continuesName(peek()))
      ++at;
    if (wrong.empty()) {
      wrong = "a name cannot start with a digit";
      help = fmt::format("put a letter first: `x{}`", shown());
    }
  }
  if (!wrong.empty())
    diagnostics.error(Code::E0004, from(begin), std::string(wrong)).suggest(help);
  push(TokenKind::number, begin);
}

void Lexer::string() {
  size_t begin = at++;
  at = std::min(text.find_first_of("\"\n", at), text.size());
  if (peek() != '"') {
    diagnostics
        .error(Code::E0005, {file, uint32_t(begin), uint32_t(begin + 1)},
               "this string is not finished on its line")
        .suggest("close it with `\"`");
    return push(TokenKind::bad, begin);
  }
  ++at;
  refuseTurns(begin, at);
  push(TokenKind::string, begin);
}

/// In comments and strings, where any other character may stand.
void Lexer::refuseTurns(size_t begin, size_t end) {
  for (size_t i = begin; i < end;) {
    CodePoint point = nextCodePoint(text.substr(i));
    if (turnsDirection(point.value)) {
      diagnostics
          .error(Code::E0001, {file, uint32_t(i), uint32_t(i + point.length)},
                 fmt::format("U+{:04X} turns the direction of text", point.value))
          .suggest("remove it: the line would read other than it is");
      return;
    }
    i += point.length;
  }
}

void Lexer::other() {
  if (peek() == '.' && isDigit(peek(1)) && (at == 0 || !continuesName(text[at - 1]))) {
    size_t begin = at++;
    while (continuesName(peek()))
      ++at;
    diagnostics.error(Code::E0004, from(begin), "a number starts with a digit")
        .suggest(fmt::format("write `0{}`", text.substr(begin, std::min<size_t>(at - begin, 40))));
    return push(TokenKind::number, begin);
  }
  for (auto [spelling, kind] : punctuation) {
    if (!text.substr(at).starts_with(spelling))
      continue;
    size_t begin = at;
    at += spelling.size();
    return push(kind, begin);
  }
  unexpected();
}

/// A run of one character without meaning is one error; so is a word with foreign letters.
void Lexer::unexpected() {
  size_t begin = at;
  CodePoint point = nextCodePoint(text.substr(at)); // valid, or the file were none of text
  std::string_view character = text.substr(at, point.length);
  unsigned char first = static_cast<unsigned char>(character[0]);
  while (text.substr(at).starts_with(character))
    at += character.size();
  Span place = from(begin);
  if (size_t end = text.find_first_of("'\n", at);
      character == "'" && at == begin + 1 && end != text.npos && text[end] == '\'')
    at = end + 1; // what looks like a string is one error
  while (first >= 0x80 && (continuesName(peek()) || (peek() & 0x80) != 0))
    ++at;
  char32_t code = point.value;
  std::string shown = first < 0x20 || first == 0x7F ? fmt::format("`\\x{:02x}`", first)
                      : isInvisible(code)           ? fmt::format("U+{:04X}", uint32_t(code))
                                                    : fmt::format("`{}`", character);
  Diagnostic &error =
      diagnostics.error(Code::E0001, place, fmt::format("unexpected character {}", shown));
  if (isInvisible(code))
    error.suggest("it cannot be seen: remove it, or write a space");
  else if (first >= 0x80)
    error.suggest("names are made of `A` to `Z`, `a` to `z`, digits and `_`");
  else if (std::string_view help = helpForCharacter(character); !help.empty())
    error.suggest(std::string(help));
  else
    error.suggest("it means nothing here: remove it");
  push(TokenKind::bad, begin);
}

Tokens Lexer::run() {
  if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark says nothing here
    at = 3;
  while (at < text.size() && !diagnostics.full()) {
    char c = peek();
    if (c == ' ' || c == '\t' || c == '\r')
      ++at;
    else if (c == '\n')
      newline();
    else if (c == '#')
      comment();
    else if (c == '"')
      string();
    else if (startsName(c))
      name();
    else if (isDigit(c))
      number();
    else
      other();
  }
  at = text.size();
  push(TokenKind::end, at);
  pairBrackets(out.list);
  return std::move(out);
}

} // namespace

bool weft::isReserved(TokenKind kind) {
  return kind >= TokenKind::kwDim && kind <= TokenKind::kwFalse;
}

Tokens weft::lex(const SourceManager &sources, FileId file, Diagnostics &diagnostics) {
  std::string_view text = sources.file(file).text();
  Tokens none;
  none.isText = false;
  none.list.push_back({TokenKind::end, true, {}, {file, 0, 0}});
  if (text.size() > SourceManager::maxFileSize) {
    diagnostics
        .error(Code::E0003, fmt::format("{}: it has more than {} MB", sources.file(file).name(),
                                        SourceManager::maxFileSize >> 20))
        .suggest("is it a program? Several files are joined by `use`");
    return none;
  }
  if (std::optional<size_t> bad = firstBadByte(text)) {
    auto begin = static_cast<uint32_t>(*bad);
    diagnostics
        .error(Code::E0002, {file, begin, begin + 1},
               text[*bad] == '\0' ? "this is not a text file: it holds a zero byte"
                                  : "this is not UTF-8 text")
        .suggest("a program is UTF-8 text: save it so in the editor");
    return none;
  }
  return Lexer(text, file, diagnostics).run();
}
