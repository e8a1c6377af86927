// Philox against its authors' known answers; initial values depend on seed, name and index alone.
#include "runtime/base/InitialValues.h"
#include "runtime/base/Philox.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace weft::runtime;
using Draw = std::array<uint32_t, 4>;

// kat_vectors of Random123: "philox4x32 10"
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Draw{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Draw{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Draw{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, BelowStaysBelowAndReachesEverything) {
  RandomStream stream(7, streamNamed("test"));
  std::vector<int> seen(10);
  for (uint64_t i = 0; i < 10000; ++i)
    ++seen.at(stream.below(10, i));
  for (int count : seen)
    EXPECT_NEAR(count, 1000, 150);
}

TEST(InitialValues, MomentsAndRange) {
  std::vector<float> normal(100001), uniform(100001);
  fillNormal(normal.data(), 100001, 0.5, 1, "a");
  fillUniform(uniform.data(), 100001, 0.5, 1, "a");
  double mean = 0, square = 0, uniformSquare = 0;
  for (size_t i = 0; i < normal.size(); ++i) {
    mean += normal[i];
    square += double(normal[i]) * normal[i];
    uniformSquare += double(uniform[i]) * uniform[i];
    ASSERT_LE(std::fabs(uniform[i]), 0.5f);
    ASSERT_TRUE(std::isfinite(normal[i]));
  }
  EXPECT_NEAR(mean / 100001, 0, 0.005);
  EXPECT_NEAR(std::sqrt(square / 100001), 0.5, 0.005);
  EXPECT_NEAR(std::sqrt(uniformSquare / 100001), 0.5 / std::sqrt(3), 0.005);
}

/// The variance of a normal of variance 1 cut at a = 2 on both sides is
/// 1 - 2 a phi(a) / (2 Phi(a) - 1) (Johnson, Kotz, Balakrishnan 1994, section 10.1).
TEST(InitialValues, TruncatedNormal) {
  constexpr int count = 400003;
  constexpr double deviation = 0.02;
  std::vector<float> whole(count), cut(count);
  fillNormal(whole.data(), count, deviation, 1, "a");
  fillTruncatedNormal(cut.data(), count, deviation, 1, "a");
  double mean = 0, square = 0, largest = 0;
  int redrawn = 0, outside = 0;
  for (int i = 0; i < count; ++i) {
    ASSERT_LE(std::fabs(cut[i]), static_cast<float>(2 * deviation));
    mean += cut[i] / count;
    square += double(cut[i]) * cut[i] / count;
    largest = std::max<double>(largest, std::fabs(cut[i]));
    redrawn += cut[i] != whole[i];
    outside += std::fabs(whole[i]) > 2 * deviation;
  }
  double phi = std::exp(-2.0) / std::sqrt(2 * M_PI), inside = std::erf(std::sqrt(2.0));
  EXPECT_NEAR(mean, 0, 4 * deviation / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(square), deviation * std::sqrt(1 - 4 * phi / inside), 2e-3 * deviation);
  EXPECT_GT(largest, 1.999 * deviation);
  EXPECT_EQ(redrawn, outside);
  EXPECT_NEAR(outside, (1 - inside) * count, 600);
}

TEST(InitialValues, TruncatedNormalDependsOnItsPlaceAlone) {
  std::vector<float> a(1000), longer(1003), otherName(1000), otherSeed(1000), none(4, 1);
  fillTruncatedNormal(a.data(), 1000, 1, 5, "layer.0.w");
  fillTruncatedNormal(longer.data(), 1003, 1, 5, "layer.0.w");
  fillTruncatedNormal(otherName.data(), 1000, 1, 5, "layer.1.w");
  fillTruncatedNormal(otherSeed.data(), 1000, 1, 6, "layer.0.w");
  fillTruncatedNormal(none.data(), 4, 0, 5, "layer.0.w");
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(a[i], longer[i]);
    EXPECT_NE(a[i], otherName[i]);
    EXPECT_NE(a[i], otherSeed[i]);
  }
  EXPECT_EQ(none, std::vector<float>(4));
}

TEST(InitialValues, PartsAreThoseOfTheWhole) {
  constexpr int64_t count = 1003;
  using Fill = void (*)(float *, int64_t, double, uint64_t, std::string_view, int64_t);
  for (Fill fill : {Fill(fillNormal), Fill(fillTruncatedNormal), Fill(fillUniform)}) {
    std::vector<float> whole(count), parts(count);
    fill(whole.data(), count, 0.7, 5, "layer.0.w", 0);
    for (int64_t first = 0, length = 4; first < count; first += length, length += 28)
      fill(parts.data() + first, std::min(length, count - first), 0.7, 5, "layer.0.w", first);
    EXPECT_EQ(whole, parts);
  }
}

TEST(InitialValues, PrefixesAgreeAndNamesAndSeedsDiffer) {
  std::vector<float> a(10), longer(23), otherName(10), otherSeed(10);
  fillNormal(a.data(), 10, 1, 5, "layer.0.w");
  fillNormal(longer.data(), 23, 1, 5, "layer.0.w");
  fillNormal(otherName.data(), 10, 1, 5, "layer.1.w");
  fillNormal(otherSeed.data(), 10, 1, 6, "layer.0.w");
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(a[i], longer[i]);
    EXPECT_NE(a[i], otherName[i]);
    EXPECT_NE(a[i], otherSeed[i]);
  }
}
