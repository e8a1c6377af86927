// Documents are what the library's own reader makes of the same text.
#include "runtime/base/Json.h"

#include <gtest/gtest.h>
#include <random>

using namespace weft::runtime;

namespace {

void expectTheSame(const std::string &text) {
  Json expected = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  Json found = parseJson(text);
  EXPECT_EQ(found.is_discarded(), expected.is_discarded()) << text;
  if (!expected.is_discarded()) {
    EXPECT_EQ(found, expected) << text;
    EXPECT_EQ(found.type(), expected.type()) << text;
    EXPECT_EQ(jsonText(found), jsonText(expected)) << text;
  }
}

TEST(Json, Documents) {
  for (const char *text :
       {"null", "true", "-1", "1", "18446744073709551615", "18446744073709551616", "1e3", "-0.0",
        "1e400", R"("a\u00e9\ud83d\ude00\n")", "[]", "{}", "[[], {}, [[1], {\"a\": []}], 2]",
        R"({"a": {"b": [1, {"c": null}], "d": 2}, "e": [[]], "f": "x"})",
        R"({"a": 1, "b": 2, "a": {"c": 3}})", R"({"a": {"b": 1}, "a": [2]})", R"({"": {"": ""}})"})
    expectTheSame(text);
}

TEST(Json, BrokenDocumentsAreDiscarded) {
  for (const char *text : {"", " ", "[", "]", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{1: 2}", "[1] 2",
                           "nul", "\"a", "\"\xff\"", R"("\ud800")", "[1 2]", "01", "{\"a\": 1,}"}) {
    expectTheSame(text);
    EXPECT_TRUE(parseJson(text).is_discarded()) << text;
  }
}

TEST(Json, DocumentsBrokenAnywhere) {
  const std::string whole =
      R"({"model": {"vocab": {"a": 0, "b": 1.5e-3}, "merges": [["a", "b"], "c d"]}, "x": [true, null, {}]})";
  std::mt19937 draw(1);
  for (int i = 0; i < 4000; ++i) {
    std::string text = whole;
    for (int j = draw() % 3; j >= 0; --j) {
      size_t at = draw() % text.size();
      if (draw() % 2)
        text[at] = "[]{},:\"0 "[draw() % 9];
      else
        text.erase(at, 1 + draw() % 3);
    }
    expectTheSame(text);
  }
}

std::string problem(const std::string &text) {
  auto read = readJson(text);
  return read ? "" : read.error().message;
}

TEST(Json, SaysWhereItIsBroken) {
  EXPECT_EQ(problem("{\"a\": 1,\n \"b\": }"), "it is not JSON at line 2, column 7");
  EXPECT_EQ(problem("]"), "it is not JSON at line 1, column 1");
  EXPECT_EQ(problem("[1,\n1e400]"), "it has a number beyond all floats at line 2, column 5");
  EXPECT_EQ(problem("[1] 2"), "it is not JSON at line 1, column 5");
  EXPECT_EQ(problem("[1, \"a"), "it is not JSON: it ends too early");
  EXPECT_EQ(problem(""), "it is not JSON: it ends too early");
}

/// Lists and objects by turns, as deep as asked.
std::string nested(size_t depth) {
  std::string open, close;
  for (size_t i = 0; i < depth; ++i) {
    open += i % 2 ? "{\"a\":" : "[";
    close += i % 2 ? '}' : ']';
  }
  return open + "1" + std::string(close.rbegin(), close.rend());
}

// Whoever copies, compares or prints a document calls itself for each level.
TEST(Json, NestedTooDeeply) {
  Json deepest = parseJson(nested(mostNested)), copy = deepest;
  ASSERT_FALSE(deepest.is_discarded());
  EXPECT_EQ(copy, deepest);
  EXPECT_EQ(jsonText(copy), nested(mostNested));
  EXPECT_FALSE(
      parseJson("[" + nested(mostNested - 1) + "," + nested(mostNested - 1) + "]").is_discarded());
  for (size_t depth : {mostNested + 1, size_t{100'000}, size_t{1'000'000}}) {
    EXPECT_NE(problem(nested(depth)).find("nested more than 200 deep at line 1, column "),
              std::string::npos)
        << depth;
    EXPECT_TRUE(parseJson(std::string(depth, '[')).is_discarded());
    EXPECT_TRUE(parseJson(std::string(depth, '[') + std::string(depth, ']')).is_discarded());
  }
  EXPECT_EQ(problem("[\n" + std::string(mostNested, '[')),
            "it is nested more than 200 deep at line 2, column 200");
}

} // namespace
