// Choosing tokens: greedy and its ties, what top-k, top-p and min-p exclude, draws that depend on
// seed and position alone.
#include "runtime/generation/Sampler.h"
#include "runtime/base/Utf8Stream.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <random>

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

/// What stays of weights in falling order, by the definitions: top-k, top-p of what that leaves,
/// min-p against the largest.
size_t expectedCount(const std::vector<int> &weights, const SamplingSettings &settings) {
  size_t k = settings.topK > 0 ? std::min<size_t>(settings.topK, weights.size()) : weights.size();
  double total = std::accumulate(weights.begin(), weights.begin() + k, 0.0), sum = 0;
  size_t nucleus = 0;
  while (nucleus < k && (nucleus == 0 || sum < settings.topP * total))
    sum += weights[nucleus++];
  size_t likely = 0;
  while (likely < nucleus && weights[likely] >= settings.minP * weights[0])
    ++likely;
  return likely;
}

/// Top-p is of the whole distribution, or what top-k left of it, never of what min-p left: with
/// both, 0.5, 0.2 and three of 0.1 keep two, where 0.6 of the first two alone would be one.
TEST(Sampler, TopPComesBeforeMinP) {
  std::vector<float> logits;
  for (int weight : {5, 2, 1, 1, 1})
    logits.push_back(std::log(static_cast<float>(weight)));
  SamplingSettings both{.temperature = 1, .topP = 0.6, .minP = 0.3};
  EXPECT_EQ(draws(logits, both).size(), 2u);
  both.topK = 2; // of these two, the first has 5/7
  EXPECT_EQ(draws(logits, both).size(), 1u);
}

TEST(Sampler, RandomRestrictionsTogether) {
  std::random_device::result_type seed = std::random_device()();
  std::mt19937 draw(seed);
  auto upTo = [&](int n) { return static_cast<int>(draw() % n); };
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<int> weights(2 + upTo(7));
    for (int &weight : weights)
      weight = 1 + upTo(9);
    std::sort(weights.rbegin(), weights.rend());
    std::vector<float> logits;
    for (int weight : weights)
      logits.push_back(std::log(static_cast<float>(weight)));
    // off the places where one more or less would be decided by rounding
    SamplingSettings settings{.temperature = 1,
                              .topK = upTo(static_cast<int>(weights.size()) + 2),
                              .topP = upTo(4) ? (upTo(90) + 0.37) / 90 : 1,
                              .minP = upTo(4) ? (upTo(9) + 0.37) / 10 : 0,
                              .seed = draw()};
    settings.topP = std::min(settings.topP, 1.0);
    std::string drawn, expected;
    for (auto [id, times] : draws(logits, settings, 3000))
      drawn += std::to_string(id) + " ";
    for (size_t id = 0; id < expectedCount(weights, settings); ++id)
      expected += std::to_string(id) + " ";
    EXPECT_EQ(drawn, expected) << "seed " << seed << ", trial " << trial << ", top-k "
                               << settings.topK << ", top-p " << settings.topP << ", min-p "
                               << settings.minP;
  }
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
