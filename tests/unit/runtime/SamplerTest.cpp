// Choosing tokens: greedy and its ties, what top-k, top-p and min-p exclude, draws that depend on
// seed and position alone.
#include "runtime/generation/Sampler.h"
#include "runtime/text/Utf8Stream.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

using namespace weft::runtime;

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();

/// How often each token is chosen at so many positions.
std::map<int32_t, int> draws(const std::vector<float> &logits, SamplingSettings settings,
                             int count = 4000) {
  std::map<int32_t, int> out;
  for (int position = 0; position < count; ++position)
    ++out[*chooseToken(logits, settings, position)];
  return out;
}
} // namespace

TEST(Sampler, GreedyTakesTheFirstOfTheLargest) {
  EXPECT_EQ(*chooseToken(std::vector<float>{1, 3, 3, 2}, {}, 0), 1);
  EXPECT_EQ(*chooseToken(std::vector<float>{-infinity, -5}, {}, 0), 1);
}

TEST(Sampler, FollowsTheProbabilities) {
  std::vector<float> logits = {std::log(1.0f), std::log(2.0f), std::log(5.0f), -infinity};
  auto seen = draws(logits, {.temperature = 1});
  EXPECT_NEAR(seen[0] / 4000.0, 0.125, 0.02);
  EXPECT_NEAR(seen[1] / 4000.0, 0.25, 0.03);
  EXPECT_NEAR(seen[2] / 4000.0, 0.625, 0.03);
  EXPECT_EQ(seen.count(3), 0u);
  // at temperature 1/2 the weights are squared: 1, 4, 25
  seen = draws(logits, {.temperature = 0.5});
  EXPECT_NEAR(seen[2] / 4000.0, 25 / 30.0, 0.03);
}

TEST(Sampler, TopK) {
  auto seen = draws({0, 1, 2, 1}, {.temperature = 1, .topK = 2});
  EXPECT_EQ(seen.size(), 2u); // of the equal ones the lower id
  EXPECT_TRUE(seen.count(2) && seen.count(1));
  EXPECT_EQ(draws({0, 1, 2, 1}, {.temperature = 1, .topK = 1}).size(), 1u);
}

TEST(Sampler, TopP) {
  std::vector<float> logits = {std::log(5.0f), std::log(3.0f), std::log(2.0f)};
  EXPECT_EQ(draws(logits, {.temperature = 1, .topP = 0.4}).size(), 1u);
  EXPECT_EQ(draws(logits, {.temperature = 1, .topP = 0.6}).size(), 2u);
  EXPECT_EQ(draws(logits, {.temperature = 1, .topP = 0.9}).size(), 3u);
  EXPECT_EQ(draws(logits, {.temperature = 1, .topP = 0}).size(), 1u); // one always stays
}

TEST(Sampler, MinP) {
  std::vector<float> logits = {std::log(5.0f), std::log(3.0f), std::log(2.0f)};
  EXPECT_EQ(draws(logits, {.temperature = 1, .minP = 0.5}).size(), 2u);
  EXPECT_EQ(draws(logits, {.temperature = 1, .minP = 1}).size(), 1u);
}

TEST(Sampler, SeedAndPositionFixTheDraw) {
  std::vector<float> logits(100);
  SamplingSettings a{.temperature = 1, .seed = 1}, b{.temperature = 1, .seed = 2};
  int equal = 0;
  for (int position = 0; position < 100; ++position) {
    EXPECT_EQ(*chooseToken(logits, a, position), *chooseToken(logits, a, position));
    equal += *chooseToken(logits, a, position) == *chooseToken(logits, b, position);
  }
  EXPECT_LT(equal, 10);
}

TEST(Sampler, NanIsAnError) {
  auto chosen = chooseToken(std::vector<float>{0, NAN}, {}, 7);
  ASSERT_FALSE(chosen);
  EXPECT_NE(chosen.error().message.find("token 1 at position 7 is NaN"), std::string::npos);
}

TEST(Utf8Stream, GivesOutWholeCharacters) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("a\xe2\x82"), "a");
  EXPECT_EQ(stream.push("\xac"), "€");
  EXPECT_EQ(stream.push("\xff"
                        "b\xc3"),
            "\xef\xbf\xbd"
            "b");
  EXPECT_EQ(stream.push("c"), "\xef\xbf\xbd"
                              "c");
  EXPECT_EQ(stream.push("\xf0\x9f"), "");
  EXPECT_NE(stream.finish(), "");
}
