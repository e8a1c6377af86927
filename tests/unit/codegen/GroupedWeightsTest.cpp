// Weights of 8 and 4 bits that share scales: exactly which numbers they become, wherever they lie,
// and products with them, of every tail.
#include "EveryIsa.h"

#include "ir/model/weights/WeightGroups.h"
#include "runtime/machine/Denormals.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <random>

using namespace weft;
using namespace weft::test;
using model::WeightFormat;
namespace groups = model::groups;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

double read(const std::vector<float> &weights, size_t at, WeightFormat format) {
  float scale = groups::scaleOf(weights, format);
  return groups::valueOf(groups::numberOf(weights[at], scale, format), scale);
}

// By hand: 127 and 8 are exact, and so are scales that are powers of two.
TEST(WeightGroups, AreTheNearestNumbers) {
  std::vector<float> bytes{31.75f, -31.75f, 0.25f, 0.124f, 0.126f, 0.375f, 0.0f, -1.0f};
  const double asBytes[] = {31.75, -31.75, 0.25, 0, 0.25, 0.5, 0, -1}; // 1.5 is a tie: 2
  EXPECT_EQ(groups::scaleOf(bytes, WeightFormat::int8), 0.25f);
  for (size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(read(bytes, i, WeightFormat::int8), asBytes[i]) << i;
  std::vector<float> fours{-4.0f, 4.0f, 3.5f, 0.25f, -0.75f, 0.26f, 3.7f, 0.0f};
  const double asFours[] = {-4, 3.5, 3.5, 0, -1, 0.5, 3.5, 0}; // 8 is none: 7
  EXPECT_EQ(groups::scaleOf(fours, WeightFormat::int4), 0.5f);
  for (size_t i = 0; i < fours.size(); ++i)
    EXPECT_EQ(read(fours, i, WeightFormat::int4), asFours[i]) << i;
  for (float &each : fours)
    each = -each; // the scale has the other sign, and all numbers theirs
  for (size_t i = 0; i < fours.size(); ++i)
    EXPECT_EQ(read(fours, i, WeightFormat::int4), -asFours[i]) << i;
}

// A scale is rounded away from 0, to 8 bits: numbers stay within theirs, and steps are at most
// 1/128 larger.
TEST(WeightGroups, HaveScalesOfEightBits) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 engine(seed);
  std::normal_distribution<float> draw;
  for (int round = 0; round < 2000; ++round) {
    std::vector<float> weights(1 + engine() % 32);
    for (float &each : weights)
      each = draw(engine);
    float most = 0;
    for (float each : weights)
      most = std::max(most, std::abs(each));
    for (WeightFormat format : {WeightFormat::int8, WeightFormat::int4}) {
      bool isByte = format == WeightFormat::int8;
      double step = std::abs(groups::scaleOf(weights, format)),
             exact = most / (isByte ? 127.0 : 8.0);
      ASSERT_GE(step * (1 + 1e-7), exact);
      ASSERT_LE(step, exact * (1 + 1.0 / 128));
      for (size_t i = 0; i < weights.size(); ++i) {
        int number = groups::numberOf(weights[i], groups::scaleOf(weights, format), format);
        ASSERT_TRUE(isByte ? std::abs(number) <= 127 : number >= -8 && number <= 7);
        // Half a step, of 4 bits a whole one where 8 had to become 7.
        ASSERT_LE(std::abs(read(weights, i, format) - weights[i]),
                  step * (isByte ? 0.5001 : 1.0001));
      }
    }
  }
}

TEST(WeightGroups, WithoutANumberAreNone) {
  for (WeightFormat format : {WeightFormat::int8, WeightFormat::int4}) {
    EXPECT_EQ(read({0, 0, -0.0f}, 1, format), 0);
    EXPECT_EQ(read({1e-38f, 1e-40f}, 0, format), 0); // a scale that would be subnormal
    EXPECT_TRUE(std::isnan(read({1, infinity}, 0, format)));
    EXPECT_TRUE(std::isnan(read({1, std::nanf("")}, 0, format)));
  }
}

class GroupedWeights : public EveryIsa {
protected:
  Kernel packer(const std::string &layout, const char *storage) {
    return kernel(fmt::format(R"(
model.dim @head
model.dim @k
model.dim @part = <2>
model.dim @n
!w = !model.tensor<f32, head, part, k, n>
func.func @f(%w: !w) {{
  %r = kernel.fused pack "w" (%a = %w : !w) -> (!w) attributes {{
      layouts = [#kernel.layout<{}>, #kernel.panels<batch = [head], rows = [part, k], columns = [n], width = 16, storage = {}>] }} {{
    kernel.yield %a : !w
  }}
  return
}})",
                              layout, storage));
  }

  /// x[m, k] * w[k, n], times a number for each row.
  Kernel product(const char *storage, const std::string &schedule = "",
                 const char *left = R"(m: "k", k: "1")") {
    return kernel(fmt::format(R"(
model.dim @m
model.dim @k
model.dim @n
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{
        layouts = [#kernel.layout<{}>, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = {}>,
                   #kernel.layout<m: "n", n: "1">]{} }} {{
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                              left, storage, schedule));
  }

  /// Weights of which the last few groups are of all kinds that are no usual ones.
  static Tensor hard(std::vector<std::string> dims, const Sizes &sizes) {
    Tensor w = Tensor::normal(std::move(dims), sizes, 1);
    const double few[] = {0, infinity, std::nan(""), 1e-38, 3e38, -1e-42, -infinity, -0.0};
    for (size_t i = 0; i < w.data.size(); i += 97)
      w.data[i] = float(few[i / 97 % 8]);
    for (size_t i = w.data.size() / 2; i < w.data.size() / 2 + 40 && i < w.data.size(); ++i)
      w.data[i] = i % 2 ? 0 : 1e-42;
    return w;
  }
};

const char *const storages[] = {"i8", "i4"};

TEST_P(GroupedWeights, ArePackedFromEveryDirection) {
  for (const char *storage : storages)
    for (const char *layout : {R"(head: "2 * k * n", part: "k * n", k: "n", n: "1")",
                               R"(head: "2 * k * n", part: "k", k: "1", n: "2 * k")",
                               R"(head: "1", part: "head", k: "2 * head", n: "2 * head * k")"}) {
      Kernel k = packer(layout, storage);
      ASSERT_TRUE(k.ok());
      for (int64_t n : {1, 16, 17, 70})
        for (int64_t rows : {1, 8, 16, 17, 32, 260}) {
          SCOPED_TRACE(fmt::format("{} {} n={} k={}", storage, layout, n, rows));
          Sizes sizes{{"head", 2}, {"part", 2}, {"k", rows}, {"n", n}};
          for (bool flushes : {false, true}) {
            std::optional<runtime::DenormalsIgnored> ignored;
            Tensor usual = Tensor::normal({"head", "part", "k", "n"}, sizes, 1),
                   odd = hard({"head", "part", "k", "n"}, sizes);
            if (flushes)
              ignored.emplace();
            Tensor first = k.run(sizes, {usual})[0], second = k.run(sizes, {odd})[0];
            ignored.reset();
            ASSERT_TRUE(isRoundedTo(k.op().getLayoutsAttr()[1], first, usual));
            ASSERT_TRUE(isRoundedTo(k.op().getLayoutsAttr()[1], second, odd)) << "odd";
          }
        }
    }
}

void checkProduct(Kernel &kernel, int64_t m, int64_t n, int64_t k) {
  SCOPED_TRACE(fmt::format("{} x {} x {}", m, n, k));
  Sizes sizes{{"m", m}, {"n", n}, {"k", k}};
  Tensor x = Tensor::normal({"m", "k"}, sizes, 1), w = Tensor::normal({"k", "n"}, sizes, 2);
  // Columns and groups of other sizes: a scale that is not theirs is far off.
  for (int64_t row = 0; row < k; ++row)
    for (int64_t column = 0; column < n; ++column)
      w.data[row * n + column] *= std::exp2(double((column * 7 + row / 32 * 5) % 11) - 5);
  GuardedTensor stored(kernel.op().getLayoutsAttr()[1],
                       model::typeOf(kernel.op().getOperand(1)).getElement(), w, sizes);
  stored.put(w);
  ASSERT_TRUE(stored.padded());
  Tensor read = stored.get(), want({"m", "n"}, sizes);
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column)
      for (int64_t i = 0; i < k; ++i)
        want.data[row * n + column] += x.data[row * k + i] * read.data[i * n + column];
  ASSERT_TRUE(close(kernel.run(sizes, {x, w})[0], want, 2e-6));
}

TEST_P(GroupedWeights, AreMultipliedWithEveryTail) {
  for (const char *storage : storages) {
    Kernel kernel = product(storage);
    ASSERT_TRUE(kernel.ok());
    for (int64_t m = 1; m <= 18; ++m)
      checkProduct(kernel, m, 16 + m, 39);
    for (int64_t m : {1, 9})
      for (int64_t n : {1, 15, 16, 17, 48, 49, 100})
        checkProduct(kernel, m, n, 35);
    for (int64_t m : {1, 3, 17})
      for (int64_t k : {0, 1, 7, 8, 31, 32, 33, 40, 63, 64, 767, 768, 769, 800, 2100})
        checkProduct(kernel, m, 17, k);
    checkProduct(kernel, 97, 200, 33);
    checkProduct(kernel, 0, 5, 5);
    checkProduct(kernel, 5, 0, 5);
  }
}

TEST_P(GroupedWeights, AreMultipliedInBlocks) {
  const char *schedule = R"(, schedule = {
    "x86-64-v3" = #cpu.contraction<tile = 6x16, accumulators = 12, rows = 12, columns = 32, k = 64, work = 1000,
                                   tasks = 64, long_sum = 8192, long_tasks = 8>,
    "avx512" = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 16, columns = 96, k = 32, work = 1000,
                                tasks = 64, long_sum = 8192, long_tasks = 8>})";
  for (const char *storage : storages)
    for (const char *left : {R"(m: "k", k: "1")", R"(m: "1", k: "m")"}) {
      Kernel kernel = product(storage, schedule, left);
      ASSERT_TRUE(kernel.ok());
      for (int64_t m : {1, 6, 53})
        for (int64_t k : {31, 64, 65, 200})
          checkProduct(kernel, m, 133, k);
    }
}

INSTANTIATE_TEST_SUITE_P(OnEveryIsa, GroupedWeights, everyIsa(), isaName);

} // namespace
