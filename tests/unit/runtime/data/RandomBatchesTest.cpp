// Random inputs: elements of every type, and nothing behind them.
#include "runtime/data/RandomBatches.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace weft::runtime;

namespace {

/// The elements of a tensor that was filled, each with its bytes.
std::vector<char> filled(const RandomTensor &tensor, int64_t count) {
  constexpr char untouched = 0x5a;
  const auto bytes = static_cast<size_t>(count * bytesOf(tensor.element));
  std::vector<char> memory(2 * bytes + 64, untouched);
  fillRandomly(tensor, memory.data(), count, /*seed=*/1);
  EXPECT_TRUE(std::all_of(memory.begin() + static_cast<ptrdiff_t>(bytes), memory.end(),
                          [](char byte) { return byte == untouched; }))
      << elementName(tensor.element) << ": wrote behind " << count << " elements";
  memory.resize(bytes);
  return memory;
}

template <class T> std::vector<T> as(const std::vector<char> &memory) {
  std::vector<T> values(memory.size() / sizeof(T));
  std::memcpy(values.data(), memory.data(), memory.size());
  return values;
}

TEST(RandomBatches, FillNoMoreThanThereIs) {
  for (Element element : {Element::Float, Element::Int, Element::Bool, Element::BFloat16})
    for (int64_t count : {0, 1, 2, 3, 1023, 1024, 1025, 4099})
      filled({element, 7, "x"}, count);
}

TEST(RandomBatches, FloatsAreAboutAsLargeAsWeights) {
  std::vector<float> wide = as<float>(filled({Element::Float, 0, "x"}, 5000)), narrow;
  for (uint16_t upper : as<uint16_t>(filled({Element::BFloat16, 0, "x"}, 5000)))
    narrow.push_back(widened(upper));
  for (const std::vector<float> &values : {wide, narrow}) {
    double squares = 0;
    for (float value : values)
      squares += double(value) * value;
    EXPECT_NEAR(std::sqrt(squares / 5000), 0.02, 0.001);
    EXPECT_NE(values[0], values[1024]);
  }
}

TEST(RandomBatches, WholeNumbersAreBelowTheirLimit) {
  std::vector<int32_t> below = as<int32_t>(filled({Element::Int, 7, "x"}, 1000));
  EXPECT_EQ(*std::min_element(below.begin(), below.end()), 0);
  EXPECT_EQ(*std::max_element(below.begin(), below.end()), 6);
  EXPECT_EQ(as<int32_t>(filled({Element::Int, 0, "x"}, 3)), std::vector<int32_t>(3, 1));
  std::vector<char> truths = filled({Element::Bool, 0, "x"}, 100);
  EXPECT_EQ(*std::max_element(truths.begin(), truths.end()), 1);
  EXPECT_EQ(*std::min_element(truths.begin(), truths.end()), 0);
}

} // namespace
