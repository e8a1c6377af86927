// Which products may be one launch of rows of several runs, and which sizes all runs have in
// common then.
#include "EveryIsa.h"

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;

namespace {

constexpr const char *batchFirst = R"(b: "s * n", s: "n", n: "1")";
constexpr const char *batchWithin = R"(b: "n", s: "b * n", n: "1")";
constexpr const char *wide = R"(b: "s * n * 2", s: "n * 2", n: "1")"; // beside something else

class RowsOfRunsTest : public EveryIsa {
protected:
  /// x[b, s, k] * w[k, n], and `factor`, which multiplies all of it.
  Kernel product(const std::string &factor, const char *result = batchFirst) {
    return kernel(fmt::format(R"(
model.dim @b
model.dim @s
model.dim @k
model.dim @n
model.dim @other
model.dim @twice = #model.size<b * 2>
!x = !model.tensor<f32, b, s, k>
!w = !model.tensor<f32, k, n>
!y = !model.tensor<f32, b, s, n>
func.func @f(%x: !x, %w: !w) {{
  %r = kernel.fused contraction "product" (%a = %x : !x, %p = %w : !w) -> (!y) attributes {{
      layouts = [#kernel.layout<b: "s * k", s: "k", k: "1">,
                 #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>, #kernel.layout<{}>] }} {{
    %c = model.contract ["k"] %a, %p : !x, !w
    {}
    kernel.yield %o : !y
  }}
  return
}})",
                              result, factor));
  }
  static std::string extent(const char *size) {
    return fmt::format("%i = model.extent <{}>\n%f = model.to_float %i : !model.tensor<i32>\n"
                       "%o = model.mul %c, %f : !y, !model.tensor<f32>",
                       size);
  }
  static std::string index(const char *dim) {
    return fmt::format("%i = model.index \"{0}\"\n"
                       "%f = model.to_float %i : !model.tensor<index<{0}>, {0}>\n"
                       "%o = model.mul %c, %f : !y, !model.tensor<f32, {0}>",
                       dim);
  }
};

const std::string nothing = "%one = model.constant 1.0 : f64\n"
                            "%o = model.mul %c, %one : !y, !model.tensor<f32>";

TEST_P(RowsOfRunsTest, AreThoseAlongWhichPlacesFollowEachOther) {
  Kernel batched = product(nothing), within = product(nothing, batchWithin),
         apart = product(nothing, wide);
  ASSERT_TRUE(batched.ok() && within.ok() && apart.ok());
  ASSERT_TRUE(batched.rows());
  EXPECT_EQ(batched.rows()->dim, 0u);
  EXPECT_EQ(batched.rows()->operands, 2u);
  EXPECT_FALSE(within.rows()) << "the left side lies the other way round";
  EXPECT_FALSE(apart.rows()) << "something else lies within a place";
}

TEST_P(RowsOfRunsTest, AreNoneWhereSomethingDependsOnThem) {
  for (const std::string &factor :
       {index("b"), extent("b"), extent("b * n + 1"), extent("twice")}) {
    Kernel kernel = product(factor);
    ASSERT_TRUE(kernel.ok()) << factor;
    EXPECT_FALSE(kernel.rows()) << factor;
  }
  for (const std::string &factor : {index("s"), index("n"), extent("s"), extent("other")}) {
    Kernel kernel = product(factor);
    ASSERT_TRUE(kernel.ok()) << factor;
    ASSERT_TRUE(kernel.rows()) << factor;
    std::vector<uint32_t> reads(kernel.rows()->reads, kernel.rows()->reads + kernel.rows()->read);
    const bool hasOther = std::find(reads.begin(), reads.end(), 4u) != reads.end();
    EXPECT_EQ(hasOther, factor == extent("other")) << "all runs have to have the same";
    EXPECT_EQ(std::find(reads.begin(), reads.end(), 0u), reads.end());
    for (int64_t b : {1, 2, 3}) {
      Sizes sizes{{"b", b}, {"s", 2}, {"k", 19}, {"n", 37}, {"other", 3}, {"twice", 2 * b}};
      kernel.run(sizes,
                 {Tensor::normal({"b", "s", "k"}, sizes, 1), Tensor::normal({"k", "n"}, sizes, 2)});
    }
    EXPECT_GT(kernel.rowRuns(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(OnEveryIsa, RowsOfRunsTest, everyIsa(), isaName);

} // namespace
