// Documents are what the library's own reader makes of the same text.
#include "runtime/json/Json.h"

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

// Neither reading nor taking apart recurses.
TEST(Json, NestedDeeply) {
  const size_t depth = 200'000;
  Json nested = parseJson(std::string(depth, '[') + std::string(depth, ']'));
  EXPECT_TRUE(nested.is_array());
  EXPECT_TRUE(parseJson(std::string(depth, '[')).is_discarded());
}

} // namespace
