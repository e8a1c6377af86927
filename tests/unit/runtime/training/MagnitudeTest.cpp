// The largest magnitude is what a loop finds, wherever it stands, and NaN is larger than all.
#include "runtime/training/arithmetic/Magnitude.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace weft::runtime;

TEST(Magnitude, IsThatOfALoop) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int threads : {1, 3}) {
    auto pool = Pool::start(threads, false);
    EXPECT_EQ(largestMagnitude(*pool, nullptr, 0), 0);
    for (int64_t count : {1, 7, 65535, 65536, 65537, 200001}) {
      std::vector<float> values(static_cast<size_t>(count));
      for (float &value : values)
        value = std::ldexp(std::uniform_real_distribution<float>(-1, 1)(random),
                           static_cast<int>(random() % 250) - 125);
      float expected = 0;
      for (float value : values)
        expected = std::max(expected, std::abs(value));
      EXPECT_EQ(largestMagnitude(*pool, values.data(), count), expected) << count;
      float &any = values[random() % values.size()];
      for (float value : {FLT_MAX, -FLT_MAX}) {
        any = value;
        EXPECT_EQ(largestMagnitude(*pool, values.data(), count), FLT_MAX) << count;
      }
      any = -INFINITY;
      EXPECT_EQ(largestMagnitude(*pool, values.data(), count), INFINITY) << count;
      values[random() % values.size()] = std::nanf("7");
      EXPECT_TRUE(std::isnan(largestMagnitude(*pool, values.data(), count)));
      any = -std::nanf("7");
      EXPECT_TRUE(std::isnan(largestMagnitude(*pool, values.data(), count)));
    }
  }
}
