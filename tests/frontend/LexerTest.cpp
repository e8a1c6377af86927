// Tokens, comments, positions.
#include "frontend/syntax/parse/Lexer.h"

#include <gtest/gtest.h>

using namespace weft;

namespace {

struct Lexed {
  SourceManager sources;
  Diagnostics diagnostics;
  Tokens tokens;

  explicit Lexed(std::string text) {
    FileId id = sources.add("test.weft", std::move(text));
    tokens = lex(sources, id, diagnostics);
  }
  /// The texts of the tokens, newlines as `;`.
  std::string words() const {
    std::string out;
    for (const Token &token : tokens.list)
      if (!token.is(TokenKind::end))
        out += (out.empty() ? "" : " ") +
               (token.is(TokenKind::newline) ? ";" : std::string(token.text));
    return out;
  }
};

TEST(Lexer, SplitsTheLongestTokens) {
  EXPECT_EQ(Lexed("a<=b==c->d..e.f!=g").words(), "a <= b == c -> d .. e . f != g");
  EXPECT_EQ(Lexed("1e-5 0.25 12 x1 1-2").words(), "1e-5 0.25 12 x1 1 - 2");
  EXPECT_EQ(Lexed("\"a # b\" # \"c\"").words(), "\"a # b\"");
}

TEST(Lexer, ManyLineEndsAreOne) {
  EXPECT_EQ(Lexed("a\n\n # x\n\nb\n").words(), "a ; b ;");
}

TEST(Lexer, KeepsComments) {
  Lexed lexed("# one\nx # two  \r\n");
  ASSERT_EQ(lexed.tokens.comments.size(), 2u);
  EXPECT_EQ(lexed.tokens.comments[0].text, "# one");
  EXPECT_TRUE(lexed.tokens.comments[0].ownLine);
  EXPECT_EQ(lexed.tokens.comments[1].text, "# two");
  EXPECT_FALSE(lexed.tokens.comments[1].ownLine);
}

TEST(Lexer, PairsBracketsOverMissingOnes) {
  Lexed lexed("{ ( [ ) } ( ]");
  const std::vector<Token> &list = lexed.tokens.list;
  EXPECT_EQ(list[0].match, 4u); // {
  EXPECT_EQ(list[1].match, 3u); // (
  EXPECT_EQ(list[2].match, 0u); // [
  EXPECT_EQ(list[5].match, 0u); // (
}

TEST(Lexer, ReportsWhatIsNoToken) {
  auto first = [](std::string text) {
    Lexed lexed(std::move(text));
    EXPECT_EQ(lexed.diagnostics.errorCount(), 1u);
    return lexed.diagnostics.all().front();
  };
  EXPECT_EQ(first("a && b").code, Code::E0001);
  EXPECT_EQ(first("a && b").help, "write `and`");
  EXPECT_EQ(first("größe = 1\n").message, "unexpected character `ö`");
  EXPECT_EQ(first("x\x01").message, "unexpected character `\\x01`");
  EXPECT_EQ(first("x = .5").help, "write `0.5`");
  EXPECT_EQ(first("x = 1.").code, Code::E0004);
  EXPECT_EQ(first("x = 1e+").code, Code::E0004);
  EXPECT_EQ(first("3x").code, Code::E0004);
  EXPECT_EQ(first("\"abc\n").code, Code::E0005);
}

TEST(Source, CountsLinesAndCharacters) {
  SourceManager sources;
  FileId id = sources.add("a.weft", "ab\r\n# ü\tx\n");
  const SourceFile &file = sources.file(id);
  EXPECT_EQ(file.lineCount(), 3u);
  EXPECT_EQ(file.line(1), "ab");
  EXPECT_EQ(file.line(2), "# ü\tx");
  EXPECT_EQ(file.line(3), "");
  Position x = file.position(9);
  EXPECT_EQ(file.text()[9], 'x');
  EXPECT_EQ(x.line, 2u);
  EXPECT_EQ(x.column, 5u);
  EXPECT_EQ(sources.describe({id, 9, 10}), "a.weft:2:5");
}

TEST(Source, TextOutsideUtf8IsRefusedAtItsFirstByte) {
  for (std::string bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    Lexed lexed("ab" + bad);
    ASSERT_EQ(lexed.diagnostics.errorCount(), 1u);
    EXPECT_EQ(lexed.diagnostics.all().front().labels.front().span.begin, 2u);
    EXPECT_FALSE(lexed.tokens.isText);
  }
}

} // namespace
