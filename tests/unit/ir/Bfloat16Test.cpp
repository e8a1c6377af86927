// Rounding to bfloat16, against the bits of a float.
#include "ir/model/Bfloat16.h"

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>

using namespace weft::model;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

double fromBits(uint32_t upper) {
  return std::bit_cast<float>(upper << 16);
}

TEST(Bfloat16, EveryOneIsItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double x = fromBits(bits);
    if (std::isnan(x))
      EXPECT_TRUE(std::isnan(roundedToBfloat16(x)));
    else
      EXPECT_EQ(roundedToBfloat16(x), x) << bits;
  }
}

TEST(Bfloat16, HalfwayIsEven) {
  for (uint32_t bits = 0; bits < 0x7f7f; ++bits) {
    double low = fromBits(bits), high = fromBits(bits + 1), middle = (low + high) / 2;
    double even = bits % 2 ? high : low;
    for (double sign : {1.0, -1.0}) {
      EXPECT_EQ(roundedToBfloat16(sign * middle), sign * even) << bits;
      EXPECT_EQ(roundedToBfloat16(sign * std::nextafter(middle, 0.0)), sign * low) << bits;
      EXPECT_EQ(roundedToBfloat16(sign * std::nextafter(middle, infinity)), sign * high) << bits;
    }
    // What is rounded to a number reaches from the middle below it to the middle above.
    EXPECT_EQ(roundedTo(low).second, middle) << bits;
    EXPECT_EQ(roundedTo(high).first, middle) << bits;
    EXPECT_EQ(roundedTo(-high).second, -middle) << bits;
  }
}

TEST(Bfloat16, LargeIsInfinite) {
  double most = fromBits(0x7f7f), border = most + (most - fromBits(0x7f7e)) / 2;
  EXPECT_EQ(roundedToBfloat16(std::nextafter(border, 0.0)), most);
  EXPECT_EQ(roundedToBfloat16(border), infinity);
  EXPECT_EQ(roundedToBfloat16(-1e300), -infinity);
  EXPECT_EQ(roundedToBfloat16(infinity), infinity);
  EXPECT_EQ(roundedTo(infinity).first, border);
  EXPECT_EQ(roundedTo(most).second, border);
}

TEST(Bfloat16, IsOffByItsRoundoffAtMost) {
  for (double x = 0x1p-126; x < 0x1p127; x *= 1.0123)
    EXPECT_LE(std::abs(roundedToBfloat16(x) - x), bfloat16Roundoff * x) << x;
}
} // namespace
