// The layout of diagnostics as text and as JSON.
#include "Parsed.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace weft;

namespace {

struct Sample {
  SourceManager sources;
  Diagnostics diagnostics;
  FileId id;

  explicit Sample(std::string text) { id = sources.add("outer.weft", std::move(text)); }
  /// The span of the first `part` in the text.
  Span find(std::string_view part) const {
    auto at = static_cast<uint32_t>(sources.file(id).text().find(part));
    return {id, at, at + static_cast<uint32_t>(part.size())};
  }
  std::string text(RenderOptions options = {}) const {
    return render(diagnostics, sources, options);
  }
};

TEST(Render, LabelsOfOneLineStandBelowEachOther) {
  Sample s("dim a\n  alpha + beta\n");
  s.diagnostics.error(Code::E0100, s.find("+"), "`+` would invent a dimension")
      .label(s.find("alpha"), "[batch, seq, model]")
      .label(s.find("beta"), "[batch, key, model]")
      .note("only the left has `seq`,\nonly the right has `key`")
      .suggest("rename one");
  EXPECT_EQ(s.text(), "error[E0100]: `+` would invent a dimension\n"
                      " --> outer.weft:2:9\n"
                      "  |\n"
                      "2 |   alpha + beta\n"
                      "  |   ----- ^ ---- [batch, key, model]\n"
                      "  |   [batch, seq, model]\n"
                      "  |\n"
                      "  = only the left has `seq`,\n"
                      "    only the right has `key`\n"
                      "  = help: rename one\n");
}

TEST(Render, LinesApartAreJoinedByDots) {
  Sample s("one\n\n\n\n\n\n\n\n\nten\n");
  s.diagnostics.error(Code::E0100, s.find("ten"), "no", "this").label(s.find("one"), "first here");
  EXPECT_EQ(s.text(), "error[E0100]: no\n"
                      "  --> outer.weft:10:1\n"
                      "   |\n"
                      " 1 | one\n"
                      "   | --- first here\n"
                      "  ...\n"
                      "10 | ten\n"
                      "   | ^^^ this\n");
}

TEST(Render, ThreeLabelsKeepTheirPlaces) {
  Sample s("a + b + c\n");
  s.diagnostics.error(Code::E0100, s.find("c"), "no", "third")
      .label(s.find("a"), "first")
      .label(s.find("b"), "second");
  EXPECT_EQ(s.text(), "error[E0100]: no\n"
                      " --> outer.weft:1:9\n"
                      "  |\n"
                      "1 | a + b + c\n"
                      "  | -   -   ^ third\n"
                      "  | |   second\n"
                      "  | first\n");
}

TEST(Render, TabsAndWideCharactersKeepTheMarkBelow) {
  Sample s("\tä 漢 x\n");
  s.diagnostics.error(Code::E0100, s.find("x"), "no");
  EXPECT_EQ(s.text(), "error[E0100]: no\n"
                      " --> outer.weft:1:6\n"
                      "  |\n"
                      "1 |     ä 漢 x\n"
                      "  |          ^\n");
}

TEST(Render, LongLinesAreCutAroundTheMark) {
  Sample s(std::string(3000, 'a') + " here " + std::string(3000, 'b') + "\n");
  s.diagnostics.error(Code::E0100, s.find("here"), "no", "this one")
      .label({s.id, 0, 5}, "far left");
  std::string text = s.text({.width = 30});
  EXPECT_NE(text.find("1 | …aaaaaaaaaaaa here bbbbbbbbbbbb…\n"
                      "  | -             ^^^^ this one\n"
                      "  | far left\n"),
            std::string::npos)
      << text;
}

TEST(Render, AMissingThingIsMarkedBehindTheLine) {
  Sample s("ab\r\n");
  s.diagnostics.error(Code::E0100, {s.id, 2, 2}, "no");
  EXPECT_NE(s.text().find("1 | ab\n  |   ^\n"), std::string::npos) << s.text();
}

TEST(Render, BytesThatWouldReachTheTerminalAreReplaced) {
  Sample s("x\x1b[31m\xFF\n");
  s.diagnostics.error(Code::E0002, {s.id, 0, 1}, "no");
  EXPECT_NE(s.text().find("1 | x\uFFFD[31m\uFFFD\n"), std::string::npos) << s.text();
}

TEST(Render, OtherFilesHaveTheirOwnWindow) {
  Sample s("dim a\n");
  FileId other = s.sources.add("b.weft", "dim a\n");
  s.diagnostics.error(Code::E0106, {other, 4, 5}, "twice").label(s.find("a"), "first here");
  EXPECT_EQ(s.text(), "error[E0106]: twice\n"
                      " --> b.weft:1:5\n"
                      "  |\n"
                      "1 | dim a\n"
                      "  |     ^\n"
                      " ::: outer.weft:1:5\n"
                      "  |\n"
                      "1 | dim a\n"
                      "  |     - first here\n");
}

TEST(Render, NoPlaceNoWindow) {
  Sample s("");
  s.diagnostics.error(Code::E0003, "a.weft: there is no such file").suggest("look again");
  EXPECT_EQ(s.text(), "error[E0003]: a.weft: there is no such file\n  = help: look again\n");
}

TEST(Render, ColourOnlyWhenAsked) {
  Sample s("dim a\n");
  s.diagnostics.error(Code::E0100, s.find("a"), "no");
  EXPECT_EQ(s.text().find('\x1b'), std::string::npos);
  EXPECT_NE(s.text({.colour = true}).find("\x1b[1;31merror[E0100]\x1b[0m"), std::string::npos);
}

TEST(Render, JsonHasOneObjectALine) {
  Sample s("dim ä, a\n");
  s.diagnostics.error(Code::E0100, s.find("a\n"), "no", "here").suggest("try `b`");
  s.diagnostics.warning(Code::E0106, s.find("dim"), "perhaps");
  std::string text = renderJson(s.diagnostics, s.sources);
  size_t end = text.find('\n');
  nlohmann::json first = nlohmann::json::parse(text.substr(0, end));
  EXPECT_EQ(first["code"], "E0100");
  EXPECT_EQ(first["severity"], "error");
  EXPECT_EQ(first["help"], "try `b`");
  EXPECT_EQ(first["labels"][0]["file"], "outer.weft");
  EXPECT_EQ(first["labels"][0]["column"], 8);
  EXPECT_EQ(first["labels"][0]["text"], "here");
  nlohmann::json second = nlohmann::json::parse(text.substr(end + 1));
  EXPECT_EQ(second["severity"], "warning");
}

TEST(Codes, AreFoundByName) {
  EXPECT_EQ(findCode("E0101"), Code::E0101);
  EXPECT_EQ(findCode("e101"), Code::E0101);
  EXPECT_EQ(findCode("E9999"), std::nullopt);
  EXPECT_EQ(findCode(""), std::nullopt);
  EXPECT_EQ(findCode("banana"), std::nullopt);
}

} // namespace
