// Reductions, positions of the largest, running sums.
#include "Interpreted.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

const std::string ab = "%x: !model.tensor<f32, a, b>";
const Array x = floats({2, 3}, {1, 2, 3, 4, 5, 6});

Array reduced(const std::string &op, const std::string &over, const Array &input) {
  return evaluated("a? b?", ab, "%r = model." + op + " [" + over + "] %x : <f32, a, b>", {input});
}

TEST(Reduce, OverEitherOrBoth) {
  expectNear(reduced("sum", "\"a\"", x), floats({3}, {5, 7, 9}));
  expectNear(reduced("sum", "\"b\"", x), floats({2}, {6, 15}));
  expectNear(reduced("sum", "\"b\", \"a\"", x), floats({}, {21}));
  expectNear(reduced("sum", "", x), x);
  expectNear(reduced("reduce_max", "\"a\"", x), floats({3}, {4, 5, 6}));
  expectNear(reduced("reduce_min", "\"b\"", x), floats({2}, {1, 4}));
}

TEST(Reduce, NaNPasses) {
  Array holes = floats({2, 3}, {1, NaN, 3, NaN, 5, 6});
  expectNear(reduced("reduce_max", "\"b\"", holes), floats({2}, {NaN, NaN}));
  expectNear(reduced("reduce_min", "\"a\"", holes), floats({3}, {NaN, NaN, 3}));
}

TEST(Reduce, OverNothing) {
  Array empty = floats({2, 0}, {});
  expectNear(reduced("sum", "\"b\"", empty), floats({2}, {0, 0}));
  expectNear(reduced("reduce_max", "\"b\"", empty), floats({2}, {-infinity, -infinity}));
  expectNear(reduced("reduce_min", "\"b\"", empty), floats({2}, {infinity, infinity}));
  expectNear(reduced("sum", "\"a\"", empty), floats({0}, {}));
}

TEST(Reduce, WholeNumbers) {
  Array whole = wholes({3}, {4, -2, 7});
  std::string a = "%x: !model.tensor<i32, a>";
  expectNear(evaluated("a", a, "%r = model.sum [\"a\"] %x : <i32, a>", {whole}), wholes({}, {9}));
  expectNear(evaluated("a", a, "%r = model.reduce_max [\"a\"] %x : <i32, a>", {whole}),
             wholes({}, {7}));
  expectNear(evaluated("a", a, "%r = model.argmax [\"a\"] %x : <i32, a>", {whole}),
             wholes({}, {2}));
}

TEST(ArgMax, LowestOnTiesAndNaNIsLargest) {
  expectNear(reduced("argmax", "\"b\"", floats({2, 3}, {1, 3, 3, 2, NaN, NaN})),
             wholes({2}, {1, 1}));
  expectNear(reduced("argmax", "\"a\"", x), wholes({3}, {1, 1, 1}));
  expectNear(reduced("argmax", "\"b\"", floats({1, 3}, {-infinity, -infinity, -infinity})),
             wholes({1}, {0}));
}

TEST(Top, LargestFirstTiesInOrder) {
  auto top = [](Array input) {
    return evaluated("a b k=2", ab, "%r = model.top \"k\" of \"b\" %x : <f32, a, b>", {input});
  };
  expectNear(top(floats({2, 4}, {1, 4, 4, 2, 9, NaN, 3, NaN})), wholes({2, 2}, {1, 2, 1, 3}));
  expectNear(top(floats({1, 2}, {-infinity, -infinity})), wholes({1, 2}, {0, 1}));
  Array byRows = evaluated("a b k=1", ab, "%r = model.top \"k\" of \"a\" %x : <f32, a, b>", {x});
  expectNear(byRows, wholes({3, 1}, {1, 1, 1}));
}

TEST(CumSum, BothWaysAlongAnyDimension) {
  auto sum = [](const std::string &how) {
    return evaluated("a b", ab, "%r = model.cumsum " + how + " %x : <f32, a, b>", {x});
  };
  expectNear(sum("\"b\""), floats({2, 3}, {1, 3, 6, 4, 9, 15}));
  expectNear(sum("\"b\" reverse"), floats({2, 3}, {6, 5, 3, 15, 11, 6}));
  expectNear(sum("\"a\""), floats({2, 3}, {1, 2, 3, 5, 7, 9}));
}

} // namespace
