// The emulated tiles of AMX: what they multiply, by numbers that were computed by hand.
#include "EveryIsa.h"

#include "runtime/machine/Denormals.h"
#include "tools/kernel/Trial.h"
#include "tools/kernel/amx/Tiles.h"

#include <array>
#include <bit>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint8_t sums = 0, left = 4, right = 6;

struct alignas(64) Shape {
  std::array<uint8_t, 64> bytes{1};

  void set(int tile, int lines, int bytesOfLine) {
    bytes[16 + 2 * tile] = uint8_t(bytesOfLine);
    bytes[48 + tile] = uint8_t(lines);
  }
};

uint16_t half(float value) {
  return uint16_t(std::bit_cast<uint32_t>(value) >> 16);
}

/// One row of two pairs by one column of them, added to `before`.
float product(std::array<float, 4> row, std::array<float, 4> column, float before) {
  Shape shape;
  shape.set(sums, 1, 4);
  shape.set(left, 1, 8);
  shape.set(right, 2, 4);
  std::array<uint16_t, 4> a, b;
  for (int i = 0; i < 4; ++i) {
    a[i] = half(row[i]);
    b[i] = half(column[i]);
  }
  float result;
  tiles::configure(shape.bytes.data());
  tiles::load(sums, reinterpret_cast<const char *>(&before), 4);
  tiles::load(left, reinterpret_cast<const char *>(a.data()), 8);
  tiles::load(right, reinterpret_cast<const char *>(b.data()), 4);
  tiles::multiply(sums, left, right);
  tiles::store(sums, reinterpret_cast<char *>(&result), 4);
  tiles::release();
  return result;
}

TEST(AmxTiles, MultiplyRowsByColumnsOfPairs) {
  Shape shape;
  shape.set(sums, 2, 8);
  shape.set(left, 2, 8);
  shape.set(right, 2, 8);
  const float rows[2][4] = {{1, 2, 3, 4}, {-1, 0.5, 0, 2}};
  const float pairs[2][2][2] = {{{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}}; // [pair][column]
  uint16_t a[2][6] = {}, b[2][2][2];                                    // rows lie apart
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      a[i][j] = half(rows[i][j]);
      b[i][j / 2][j % 2] = half(pairs[i][j / 2][j % 2]);
    }
  float result[2][3] = {{100, 0.25, 7}, {0, -21, 8}};
  tiles::configure(shape.bytes.data());
  tiles::load(sums, reinterpret_cast<const char *>(result), sizeof result[0]);
  tiles::load(left, reinterpret_cast<const char *>(a), sizeof a[0]);
  tiles::load(right, reinterpret_cast<const char *>(b), sizeof b[0]);
  tiles::multiply(sums, left, right);
  tiles::store(sums, reinterpret_cast<char *>(result), sizeof result[0]);
  tiles::release();
  const float want[2][3] = {{184, 104.25, 7}, {18, 0, 8}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_EQ(result[i][j], want[i][j]) << i << ", " << j;
}

// 2^24 takes a 1 up that is added to it, and -2^24 does not. The first terms of both pairs are 1
// and 2^24, the second ones 1 and -2^24: pair by pair it would be 2.
TEST(AmxTiles, AddFirstTermsAndSecondOnesApart) {
  EXPECT_EQ(product({1, 1, 4096, 4096}, {1, 1, 4096, -4096}, 0.5), 1.5f);
}

// Whatever the thread's own arithmetic does with them.
TEST(AmxTiles, TakeSubnormalNumbersForZero) {
  constexpr float tiny = 0x1p-127f, large = 0x1p127f, least = 0x1p-126f;
  for (bool ignores : {false, true}) {
    SCOPED_TRACE(ignores);
    std::optional<runtime::DenormalsIgnored> ignored;
    if (ignores)
      ignored.emplace();
    EXPECT_EQ(product({tiny, 1, 0, 0}, {large, 2, 0, 0}, 0), 2);          // a factor
    EXPECT_EQ(product({1, large, 0, 0}, {2, tiny, 0, 0}, 0), 2);          // the other one
    EXPECT_EQ(product({0x1p-64f, 0, 0, 0}, {0x1p-64f, 0, 0, 0}, 0), 0);   // a product
    EXPECT_EQ(product({1.5f * least, least, 0, 0}, {1, -1, 0, 0}, 0), 0); // a sum of both terms
    float before = product({0, 0, 0, 0}, {0, 0, 0, 0}, tiny);             // what was there
    EXPECT_EQ(std::bit_cast<uint32_t>(before), 0u);
    EXPECT_EQ(product({least, 0, 0, 0}, {2, 0, 0, 0}, 0), 2 * least); // which is none
  }
}

// `weft kernel --check` sees a kernel that never releases its tiles.
TEST(AmxTiles, LeftConfiguredAreSeenByATrial) {
  Kernel kernel(cpu::Isa::x86_64_v3, R"(
model.dim @m
func.func @f(%x: !model.tensor<f32, m>) {
  %0 = kernel.fused rows "row" (%a = %x : !model.tensor<f32, m>) -> (!model.tensor<f32, m>)
      attributes {layouts = [#kernel.layout<m: "1">, #kernel.layout<m: "1">]} {
    %e = model.exp %a : !model.tensor<f32, m>
    kernel.yield %e : !model.tensor<f32, m>
  }
  return
})");
  ASSERT_TRUE(kernel.ok());
  trial::KernelTrial trial(kernel.op(), cpu::Isa::x86_64_v3);
  ASSERT_FALSE(trial.problem()) << *trial.problem();
  auto pool = WeftPool::start(1, /*pin=*/false); // this thread
  EXPECT_LT(trial.check({{"m", 5}}, *pool), 1e-5);
  Shape shape;
  shape.set(sums, 1, 4);
  tiles::configure(shape.bytes.data());
  EXPECT_TRUE(std::isinf(*trial.check({{"m", 5}}, *pool)));
  EXPECT_LT(trial.check({{"m", 5}}, *pool), 1e-5); // and blames no other for it
}

} // namespace
