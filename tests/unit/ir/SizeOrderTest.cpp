// Proofs of order against every small size: what is proved is never wrong.
#include "ir/size/SizeOrder.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace weft;

namespace {
const std::array<std::string, 3> names = {"a", "b", "c"};

/// A sum of up to four products of up to two dimensions, or such a sum divided.
Size randomSize(std::mt19937 &random) {
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Size sum;
  for (int terms = pick(1, 4); terms > 0; --terms) {
    Size term = Size::number(pick(-3, 3));
    for (int factors = pick(0, 2); factors > 0; --factors)
      term = term * Size::dim(names[pick(0, 2)]);
    sum = sum + term;
  }
  if (pick(0, 3) == 0)
    sum = sum / (pick(0, 1) ? Size::number(pick(1, 3)) : Size::dim(names[pick(0, 2)]));
  return sum;
}

/// The value as a fraction, so that a proof need not ask whether divisions are exact.
double valueAt(const Size &size, const std::array<int64_t, 3> &at) {
  double sum = 0;
  for (const auto &[powers, coefficient] : size.terms()) {
    double term = double(coefficient.numerator) / double(coefficient.denominator);
    for (const auto &[name, power] : powers)
      term *= std::pow(double(at[name[0] - 'a']), power);
    sum += term;
  }
  return sum;
}
} // namespace

TEST(SizeOrderTest, WhatIsProvedHoldsAtEverySmallSize) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  unsigned proved = 0;
  for (int round = 0; round < 4000; ++round) {
    Size size = randomSize(random);
    bool empty = random() % 4 == 0; // c may have no position
    std::optional<Size> bound;      // of a, in b
    if (random() % 2)
      bound = Size::dim("b") + Size::number(int64_t(random() % 3) - 1);
    SizeFacts facts;
    facts.least = [&](const std::string &name) { return name == "c" && empty ? 0 : 1; };
    facts.most = [&](const std::string &name) { return name == "a" ? bound : std::nullopt; };
    bool notNegative = isNonNegative(size, facts), positive = isPositive(size, facts);
    proved += notNegative;
    EXPECT_TRUE(notNegative || !positive) << size.str();
    for (int64_t a = 1; a <= 5; ++a)
      for (int64_t b = 1; b <= 5; ++b)
        for (int64_t c = empty ? 0 : 1; c <= 5; ++c) {
          std::array<int64_t, 3> at = {a, b, c};
          if (bound && a > valueAt(*bound, at))
            continue;
          double value = valueAt(size, at);
          if (std::isnan(value) || std::isinf(value))
            continue; // divided by nothing
          EXPECT_TRUE(!notNegative || value > -1e-9)
              << size.str() << " at " << a << ", " << b << ", " << c
              << (bound ? ", a <= " + bound->str() : "");
          EXPECT_TRUE(!positive || value > 1e-9) << size.str() << " at " << a << ", " << b << ", "
                                                 << c << (bound ? ", a <= " + bound->str() : "");
        }
  }
  EXPECT_GT(proved, 400u); // and it does prove some
}

TEST(SizeOrderTest, ProvesWhatProgramsNeed) {
  SizeFacts facts;
  facts.most = [](const std::string &name) -> std::optional<Size> {
    if (name == "seq")
      return Size::dim("position");
    if (name == "position")
      return Size::dim("longest") / Size::number(2);
    return std::nullopt;
  };
  auto size = [](const char *text) { return *Size::parse(text); };
  EXPECT_TRUE(isNonNegative(size("position - seq"), facts));
  EXPECT_FALSE(isPositive(size("position - seq"), facts)); // as long as its bound
  EXPECT_TRUE(isPositive(size("position - seq + 1"), facts));
  EXPECT_TRUE(isNonNegative(size("longest - 2 * seq"), facts));
  EXPECT_TRUE(isNonNegative(size("n * m - n"), facts)); // m is at least 1
  EXPECT_TRUE(isPositive(size("n - (n - 1) / 2"), facts));
  EXPECT_TRUE(isPositive(size("a * b - (a - 1) * b - (b - 1)"), facts)); // row-major
  EXPECT_FALSE(isNonNegative(size("seq - 2"), facts));
  EXPECT_FALSE(isNonNegative(size("n - m"), facts));
  EXPECT_TRUE(isPositive(size("n / (a + b)"), facts));
  EXPECT_FALSE(isPositive(size("n / (a - b)"), facts));
}

TEST(SizeOrderTest, FractionsHaveNoDivision) {
  auto [above, below] = fraction(*Size::parse("(height - kh) / stride + 1 / 2"));
  EXPECT_EQ(above.str(), Size::parse("2 * (height - kh) + stride")->str());
  EXPECT_EQ(below.str(), Size::parse("2 * stride")->str());
  auto [over, sum] = fraction(*Size::parse("n / (a + b)"));
  EXPECT_EQ(over.str(), "n");
  EXPECT_EQ(sum.str(), Size::parse("a + b")->str());
}
