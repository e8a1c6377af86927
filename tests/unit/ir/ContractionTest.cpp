// Contractions.
#include "Interpreted.h"

#include <gtest/gtest.h>

#include <random>

using namespace weft::test;

namespace {

Floats noise(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Floats result(count);
  for (double &x : result)
    x = uniform(engine);
  return result;
}

TEST(Contract, IsAMatrixProduct) {
  std::string arguments = "%x: !model.tensor<f32, m, k>, %y: !model.tensor<f32, k, n>";
  expectNear(evaluated("m k n", arguments,
                       "%r = model.contract [\"k\"] %x, %y : <f32, m, k>, <f32, k, n>",
                       {floats({2, 2}, {1, 2, 3, 4}), floats({2, 3}, {1, 0, 2, 0, 1, 3})}),
             floats({2, 3}, {1, 2, 8, 3, 4, 18}));
}

TEST(Contract, EqualsTheSumOfTheProduct) {
  // batch in both, two contracted dimensions, dimensions in no helpful order
  std::string types = "<f32, p, k, m, batch, q>, <f32, batch, q, n, p>";
  std::string arguments =
      "%x: !model.tensor<f32, p, k, m, batch, q>, %y: !model.tensor<f32, batch, q, n, p>";
  std::vector<Array> inputs = {floats({2, 3, 4, 2, 3}, noise(144, 1)),
                               floats({2, 3, 5, 2}, noise(60, 2))};
  std::string dims = "p k m batch q n";
  Array product = evaluated(dims, arguments,
                            "%p = model.mul %x, %y : " + types +
                                "\n%r = model.sum [\"p\", \"q\"] %p : <f32, p, k, m, batch, q, n>",
                            inputs);
  Array contraction =
      evaluated(dims, arguments, "%r = model.contract [\"p\", \"q\"] %x, %y : " + types, inputs);
  EXPECT_EQ(contraction.shape, (llvm::SmallVector<int64_t>{3, 4, 2, 5}));
  expectNear(contraction, product);
}

TEST(Contract, OverNothingIsTheOuterProduct) {
  expectNear(evaluated("a b", "%x: !model.tensor<f32, a>, %y: !model.tensor<f32, b>",
                       "%r = model.contract [] %x, %y : <f32, a>, <f32, b>",
                       {floats({2}, {1, 2}), floats({2}, {3, 4})}),
             floats({2, 2}, {3, 4, 6, 8}));
}

TEST(Contract, OverAnEmptyDimensionIsZero) {
  expectNear(evaluated("a k?", "%x: !model.tensor<f32, a, k>, %y: !model.tensor<f32, k>",
                       "%r = model.contract [\"k\"] %x, %y : <f32, a, k>, <f32, k>",
                       {floats({2, 0}, {}), floats({0}, {})}),
             floats({2}, {0, 0}));
}

TEST(Contract, PassesNaNAlsoWhereTheOtherIsZero) {
  expectNear(evaluated("k", "%x: !model.tensor<f32, k>, %y: !model.tensor<f32, k>",
                       "%r = model.contract [\"k\"] %x, %y : <f32, k>, <f32, k>",
                       {floats({2}, {0, 1}), floats({2}, {NaN, 1})}),
             floats({}, {NaN}));
}

} // namespace
