// Drawings: whatever is drawn, the picture is valid, nothing is cut off, nothing unsaid.
#include "runtime/base/Utf8.h"
#include "runtime/plots/HeatMaps.h"
#include "runtime/plots/Svg.h"
#include "runtime/training/TrainingLog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

using namespace weft::runtime;

namespace {
/// The numbers behind each place where `pattern` matches.
std::vector<double> numbers(const std::string &in, const char *pattern) {
  std::vector<double> found;
  std::regex regex(pattern);
  for (std::sregex_iterator each(in.begin(), in.end(), regex), end; each != end; ++each)
    found.push_back(std::stod((*each)[1]));
  return found;
}

double number(const std::string &in, const char *pattern) {
  std::vector<double> all = numbers(in, pattern);
  EXPECT_FALSE(all.empty()) << pattern << "\n" << in.substr(0, 2000);
  return all.empty() ? 0 : all[0];
}

bool has(const std::string &picture, const std::string &part) {
  return picture.find(part) != std::string::npos;
}

std::string drawn(const HeatMaps &maps) {
  Result<std::string> picture = drawHeatMaps(maps);
  EXPECT_TRUE(picture) << picture.error().message;
  EXPECT_TRUE(isUtf8(*picture));
  return *picture;
}

double widthOf(const std::string &picture) {
  return number(picture, "viewBox=\"0 0 ([0-9.]+)");
}
double heightOf(const std::string &picture) {
  return number(picture, "viewBox=\"0 0 [0-9.]+ ([0-9.]+)");
}

/// A square of ones, with these tokens on both sides.
struct Tokens {
  explicit Tokens(std::vector<std::string> words)
      : words(words), values(words.size() * words.size(), 1.0f) {}
  HeatMaps maps() const {
    auto size = static_cast<int64_t>(words.size());
    return {"attn.weights", {"seq", "key"}, {size, size}, values, words, words};
  }
  std::vector<std::string> words;
  std::vector<float> values;
};
} // namespace

TEST(Svg, HoldsAnyText) {
  EXPECT_EQ(svgText("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;>&amp;");
  EXPECT_EQ(svgText("a\nb\tc\rd\x7f"), "a↵b⇥c\ufffdd\ufffd");
  EXPECT_EQ(svgText("é日"), "é日");
  EXPECT_EQ(svgText("\xc3"), "\\xc3"); // half of a character, as tokens of bytes are
  EXPECT_EQ(svgText("\xef\xbf\xbe"), "\ufffd");
}

TEST(Svg, TextIsCutWhereThereIsNoRoom) {
  EXPECT_EQ(svgFitted("short", 10, 100), "short");
  EXPECT_EQ(svgFitted("", 10, 5), "");
  std::string cut = svgFitted("éééééééééééééééééééé", 10, 60);
  EXPECT_TRUE(isUtf8(cut));
  EXPECT_TRUE(cut.ends_with("é…")) << cut;
  EXPECT_LT(svgWidth(cut, 10), 66);
  EXPECT_GT(svgWidth("日本", 10), 1.5 * svgWidth("ab", 10));
  EXPECT_EQ(svgWidth("e\u0301", 10), svgWidth("e", 10)); // an accent of its own
}

TEST(HeatMaps, OneToken) {
  std::vector<float> values(2 * 12, 1);
  std::string picture = drawn(
      {"layer.attn.weights", {"layer", "head", "seq", "key"}, {2, 12, 1, 1}, values, {"a"}, {"a"}});
  double before = -1e9; // captions side by side do not run into each other
  std::vector<double> lefts = numbers(picture, "translate\\(([0-9.]+) [0-9.]+\\)\">\n<g");
  ASSERT_EQ(lefts.size(), 24u);
  for (size_t i = 0; i < 12; ++i) {
    EXPECT_GT(lefts[i] - before, svgWidth("layer 0, head 0", 10));
    before = lefts[i];
  }
  for (double y : numbers(picture, "class=\"small\" x=\"[0-9.]+\" y=\"([0-9.]+)\""))
    EXPECT_LT(y, heightOf(picture)); // the scale is higher than the panels
  EXPECT_GT(widthOf(drawn(
                {"a.title.that.is.longer.than.the.cells", {"d"}, {1}, {values.data(), 1}, {}, {}})),
            svgWidth("a.title.that.is.longer.than.the.cells: d across", 14));
}

TEST(HeatMaps, PanelsStandInRowsOfOneLength) {
  for (auto [count, rows, columns] :
       {std::tuple{4, 2, 2}, {12, 3, 4}, {3, 1, 3}, {1, 1, 1}, {7, 2, 4}}) {
    std::vector<float> values(static_cast<size_t>(count) * 4, 1);
    std::string picture = drawn({"w", {"head", "row", "column"}, {count, 2, 2}, values, {}, {}});
    std::vector<double> lefts = numbers(picture, "translate\\(([0-9.]+) [0-9.]+\\)\">\n<g"),
                        tops = numbers(picture, "translate\\([0-9.]+ ([0-9.]+)\\)\">\n<g");
    EXPECT_EQ(std::set(lefts.begin(), lefts.end()).size(), static_cast<size_t>(columns)) << count;
    EXPECT_EQ(std::set(tops.begin(), tops.end()).size(), static_cast<size_t>(rows)) << count;
  }
}

TEST(HeatMaps, LongLabelsAreTurned) {
  EXPECT_FALSE(has(drawn(Tokens({"a", "b", "é"}).maps()), "rotate"));
  EXPECT_TRUE(has(drawn(Tokens({"a", "baker", "c"}).maps()), "rotate"));
}

TEST(HeatMaps, TokensAreShownAsTheyAre) {
  Tokens tokens({"<s>", " the", " ", "\xc3", "&", "donaudampfschifffahrtsgesellschaft"});
  std::string picture = drawn(tokens.maps());
  for (const char *label :
       {">&lt;s></text>", ">␣the</text>", ">␣</text>", ">\\xc3</text>", ">&amp;</text>"})
    EXPECT_TRUE(has(picture, label)) << label;
  EXPECT_TRUE(has(picture, "…</text>"));
  EXPECT_FALSE(has(picture, "gesellschaft"));
}

TEST(HeatMaps, ManyTokensAreThinnedOut) {
  for (size_t count : {50u, 64u, 65u, 1000u}) {
    Tokens tokens(std::vector<std::string>(count, "word"));
    std::string picture = drawn(tokens.maps());
    std::vector<double> places = numbers(picture, "x=\"-5\" y=\"([0-9.]+)\"");
    EXPECT_LE(places.size(), 64u);
    ASSERT_GT(places.size(), 31u);
    EXPECT_GE(places[1] - places[0], 12) << count; // lines of 10 pixels
    EXPECT_LT(heightOf(picture), 2200) << count;
  }
}

TEST(HeatMaps, WhatIsNoNumberIsSaid) {
  float inf = HUGE_VALF;
  std::vector<float> values = {1, -inf, std::nanf(""), 0.5f};
  std::string picture = drawn({"scores", {"row", "column"}, {2, 2}, values, {}, {}});
  for (const char *said : {"class=\"least\" d=\"M1 0", "class=\"nan\" d=\"M0 1", ">-inf</text>",
                           ">NaN</text>", ">1</text>"})
    EXPECT_TRUE(has(picture, said)) << said;
  EXPECT_FALSE(has(picture, ">inf</text>"));
  std::vector<float> finite = {1, -2, 0, 3};
  picture = drawn({"scores", {"row", "column"}, {2, 2}, finite, {}, {}});
  EXPECT_FALSE(has(picture, ">NaN<") || has(picture, ">-inf<"));
  for (const char *tick : {">3</text>", ">0</text>", ">-3</text>"})
    EXPECT_TRUE(has(picture, tick)) << tick;
}

TEST(HeatMaps, WhatIsSharedByManyIsSeen) {
  constexpr int64_t size = 100; // attention that looks back evenly
  std::vector<float> even(size * size), sharp(size * size);
  for (int64_t row = 0; row < size; ++row)
    for (int64_t column = 0; column <= row; ++column) {
      even[static_cast<size_t>(row * size + column)] = 1 / static_cast<float>(row + 1);
      sharp[static_cast<size_t>(row * size + column)] = row == column ? 0.95f : 0.0005f;
    }
  std::string picture = drawn({"weights", {"seq", "key"}, {size, size}, even, {}, {}});
  EXPECT_TRUE(has(picture, "class=\"above\" opacity=\"0.0938\"")) << "the last row, a hundredth";
  EXPECT_TRUE(has(picture, ">1</text>") && has(picture, ">0.25</text>")); // half of the colour
  picture = drawn({"weights", {"seq", "key"}, {size, size}, sharp, {}, {}});
  EXPECT_EQ(numbers(picture, "<path class=\"above\" opacity=\"([0-9.]+)").size(), 1u);
  EXPECT_FALSE(has(picture, ">0.238</text>"));
}

namespace {
std::string curve(const std::vector<double> &losses, int64_t first = 1) {
  std::vector<StepRecord> records;
  for (double loss : losses)
    records.push_back({.step = first++, .training = {loss, {}, {}}, .validation = {}});
  return lossCurve(records, {}, "<x> & y: loss by step");
}

/// What stands at the left of the lines.
std::vector<std::string> ticks(const std::string &picture) {
  std::vector<std::string> found;
  std::regex regex("text-anchor=\"end\">([^<]*)<");
  for (std::sregex_iterator each(picture.begin(), picture.end(), regex), end; each != end; ++each)
    found.push_back((*each)[1]);
  return found;
}
} // namespace

TEST(LossCurve, OneStepIsAPoint) {
  std::string picture = curve({2.5});
  EXPECT_TRUE(has(picture, "<circle class=\"only\""));
  EXPECT_TRUE(has(picture, "&lt;x> &amp; y"));
  EXPECT_FALSE(has(curve({2.5, 2}), "<circle"));
}

TEST(LossCurve, TicksDiffer) {
  for (const std::vector<double> &losses : {std::vector<double>{2.0301, 2.0303},
                                            {1e-7, 3e-7},
                                            {4, 4},
                                            {0, 0},
                                            {1e9, 3e9},
                                            {0.1, 120}}) {
    std::vector<std::string> all = ticks(curve(losses));
    EXPECT_GE(all.size(), 2u) << losses[0];
    for (size_t i = 1; i < all.size(); ++i)
      EXPECT_NE(all[i], all[i - 1]) << losses[0];
    for (const std::string &tick : all)
      EXPECT_LT(svgWidth(tick, 12), 64) << tick;
  }
}

TEST(LossCurve, WhatCannotBeMeasuredIsLeftOut) {
  std::string picture = curve({2, std::nan(""), HUGE_VAL, 1});
  EXPECT_FALSE(has(picture, "nan") || has(picture, "inf"));
}
