// Leaves and elementwise ops against values computed by hand.
#include "Interpreted.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

const std::string x = "%x: !model.tensor<f32, a>", xy = x + ", %y: !model.tensor<f32, a>";
const std::string i = "%x: !model.tensor<i32, a>", ij = i + ", %y: !model.tensor<i32, a>";
const std::string b = "%x: !model.tensor<i1, a>", bc = b + ", %y: !model.tensor<i1, a>";

Array unary(const std::string &op, Floats in) {
  int64_t size = in.size();
  return evaluated("a", x, "%r = model." + op + " %x : <f32, a>", {floats({size}, in)});
}
Array binary(const std::string &op, Floats l, Floats r) {
  int64_t size = l.size();
  return evaluated("a", xy, "%r = model." + op + " %x, %y : <f32, a>, <f32, a>",
                   {floats({size}, l), floats({size}, r)});
}
Array binary(const std::string &op, Wholes l, Wholes r) {
  int64_t size = l.size();
  return evaluated("a", ij, "%r = model." + op + " %x, %y : <i32, a>, <i32, a>",
                   {wholes({size}, l), wholes({size}, r)});
}
Array logical(const std::string &op, Switches l, Switches r) {
  int64_t size = l.size();
  return evaluated("a", bc, "%r = model." + op + " %x, %y : <i1, a>, <i1, a>",
                   {switches({size}, l), switches({size}, r)});
}

TEST(Leaf, ConstantsKeepAllOfTheirDigits) {
  expectNear(evaluated("", "", "%r = model.constant 0.1", {}), floats({}, {0.1}), 0);
  expectNear(evaluated("", "", "%r = model.constant -3", {}), wholes({}, {-3}));
  expectNear(evaluated("", "", "%r = model.constant true", {}), switches({}, {1}));
}

TEST(Leaf, IndexAndExtent) {
  expectNear(evaluated("a=4", "", "%r = model.index \"a\"", {}), wholes({4}, {0, 1, 2, 3}));
  expectNear(evaluated("a=0", "", "%r = model.index \"a\"", {}), wholes({0}, {}));
  expectNear(evaluated("a=4 b=a*3", "", "%r = model.extent <a * b - 1>", {}), wholes({}, {47}));
}

TEST(Unary, Floats) {
  expectNear(unary("neg", {1, -0.5, infinity}), floats({3}, {-1, 0.5, -infinity}));
  expectNear(unary("exp", {0, 1, -infinity, NaN}), floats({4}, {1, std::exp(1.0), 0, NaN}));
  expectNear(unary("log", {1, 0, -1}), floats({3}, {0, -infinity, NaN}));
  expectNear(unary("sqrt", {4, 0, -1}), floats({3}, {2, 0, NaN}));
  expectNear(unary("rsqrt", {4, 0}), floats({2}, {0.5, infinity}));
  expectNear(unary("sin", {0, M_PI / 2}), floats({2}, {0, 1}));
  expectNear(unary("cos", {0, M_PI}), floats({2}, {1, -1}));
  expectNear(unary("tanh", {0, 100, 0.5}), floats({3}, {0, 1, 0.46211715726000975}));
  expectNear(unary("erf", {0, 1, -infinity}), floats({3}, {0, 0.8427007929497149, -1}));
}

TEST(Unary, EveryFunctionOfTheTableHasAnOp) {
  for (const weft::model::FloatFunction &function : weft::model::floatFunctions)
    expectNear(unary(std::string(function.name), {0.25, -2}),
               floats({2}, {function.evaluate(0.25), function.evaluate(-2)}));
}

TEST(Unary, Conversions) {
  expectNear(unary("floor", {1.5, -1.5, 2, -0.0}), wholes({4}, {1, -2, 2, 0}));
  expectNear(unary("floor", {3e9, -3e9, infinity, -infinity, NaN}),
             wholes({5}, {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0}));
  expectNear(evaluated("a", i, "%r = model.to_float %x : <i32, a>", {wholes({2}, {3, -1})}),
             floats({2}, {3, -1}));
  expectNear(evaluated("a", b, "%r = model.to_float %x : <i1, a>", {switches({2}, {1, 0})}),
             floats({2}, {1, 0}));
  expectNear(evaluated("a", b, "%r = model.to_int %x : <i1, a>", {switches({2}, {1, 0})}),
             wholes({2}, {1, 0}));
  expectNear(evaluated("a", b, "%r = model.not %x : <i1, a>", {switches({2}, {1, 0})}),
             switches({2}, {0, 1}));
  expectNear(
      evaluated("a d=3", i, "%r = model.clamp \"d\" %x : <i32, a>", {wholes({4}, {-5, 0, 2, 3})}),
      wholes({4}, {0, 0, 2, 2}));
  expectNear(evaluated("a", i, "%r = model.neg %x : <i32, a>", {wholes({2}, {5, INT32_MIN})}),
             wholes({2}, {-5, INT32_MIN}));
}

TEST(Binary, FloatArithmetic) {
  expectNear(binary("add", Floats{1, infinity}, {2, -infinity}), floats({2}, {3, NaN}));
  expectNear(binary("sub", Floats{1}, {2.5}), floats({1}, {-1.5}));
  expectNear(binary("mul", Floats{3, 0}, {2, infinity}), floats({2}, {6, NaN}));
  expectNear(binary("div", Floats{1, 1, 0}, {4, 0, 0}), floats({3}, {0.25, infinity, NaN}));
  expectNear(binary("mod", Floats{5.5, -5.5, 5.5, -5.5, 1}, {2, 2, -2, -2, 0}),
             floats({5}, {1.5, 0.5, -0.5, -1.5, NaN}));
  expectNear(binary("pow", Floats{-2, 2, -2, NaN, 4, -1}, {3, -2, 0, 0, 0.5, 0.5}),
             floats({6}, {-8, 0.25, 1, 1, 2, NaN}));
}

TEST(Binary, MaxAndMinPassNaN) {
  expectNear(binary("max", Floats{1, NaN, 1, NaN}, {2, 1, NaN, NaN}),
             floats({4}, {2, NaN, NaN, NaN}));
  expectNear(binary("min", Floats{1, NaN, 1, NaN}, {2, 1, NaN, NaN}),
             floats({4}, {1, NaN, NaN, NaN}));
  expectNear(binary("max", Wholes{1, -2}, {-1, 3}), wholes({2}, {1, 3}));
  expectNear(binary("min", Wholes{1, -2}, {-1, 3}), wholes({2}, {-1, -2}));
}

TEST(Binary, WholeDivisionRoundsDownAndModHasTheDivisorsSign) {
  expectNear(binary("floordiv", Wholes{7, -7, 7, -7, 6, 1}, {2, 2, -2, -2, 3, 0}),
             wholes({6}, {3, -4, -4, 3, 2, 0}));
  expectNear(binary("mod", Wholes{7, -7, 7, -7, 6, 1}, {2, 2, -2, -2, 3, 0}),
             wholes({6}, {1, 1, -1, -1, 0, 0}));
  expectNear(binary("mod", Wholes{INT32_MIN, INT32_MIN}, {-1, 0}), wholes({2}, {0, 0}));
  expectNear(binary("floordiv", Wholes{INT32_MIN}, {-1}), wholes({1}, {INT32_MAX}));
}

TEST(Binary, WholeNumbersWrapAt32Bits) {
  expectNear(binary("add", Wholes{INT32_MAX}, {1}), wholes({1}, {INT32_MIN}));
  expectNear(binary("sub", Wholes{INT32_MIN}, {1}), wholes({1}, {INT32_MAX}));
  expectNear(binary("mul", Wholes{1 << 30, -3}, {4, 5}), wholes({2}, {0, -15}));
}

TEST(Binary, Logic) {
  expectNear(logical("and", {0, 0, 1, 1}, {0, 1, 0, 1}), switches({4}, {0, 0, 0, 1}));
  expectNear(logical("or", {0, 0, 1, 1}, {0, 1, 0, 1}), switches({4}, {0, 1, 1, 1}));
}

TEST(Compare, EveryPredicateAndNaN) {
  Switches expected[] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0},
                         {0, 1, 1, 0}, {0, 1, 0, 0}, {1, 0, 1, 1}};
  const char *names[] = {"lt", "le", "gt", "ge", "eq", "ne"};
  for (int p = 0; p < 6; ++p) {
    std::string op = std::string("compare ") + names[p];
    expectNear(binary(op, Floats{1, 2, 3, NaN}, {2, 2, 2, NaN}), switches({4}, expected[p]));
    Switches three(expected[p].begin(), expected[p].end() - 1);
    expectNear(binary(op, Wholes{1, 2, 3}, {2, 2, 2}), switches({3}, three));
  }
  expectNear(logical("compare lt", {0, 1}, {1, 1}), switches({2}, {1, 0}));
}

TEST(Where, TheOtherBranchDoesNotMatter) {
  expectNear(evaluated("a", "%c: !model.tensor<i1, a>, " + xy,
                       "%r = model.where %c, %x, %y : <i1, a>, <f32, a>, <f32, a>",
                       {switches({2}, {1, 0}), floats({2}, {1, NaN}), floats({2}, {NaN, 4})}),
             floats({2}, {1, 4}));
}

TEST(Alignment, OperandsMeetByNameWhateverTheirOrder) {
  Array ab = floats({2, 3}, {0, 1, 2, 10, 11, 12}),
        ba = floats({3, 2}, {0, 100, 200, 300, 400, 500});
  std::string arguments = "%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, b, a>";
  expectNear(
      evaluated("a b", arguments, "%r = model.add %x, %y : <f32, a, b>, <f32, b, a>", {ab, ba}),
      floats({2, 3}, {0, 201, 402, 110, 311, 512}));
}

TEST(Alignment, WhatOneLacksIsConstantAlongIt) {
  expectNear(evaluated("a b", "%x: !model.tensor<f32, a>, %y: !model.tensor<f32, b>",
                       "%r = model.mul %x, %y : <f32, a>, <f32, b>",
                       {floats({2}, {1, 2}), floats({3}, {1, 10, 100})}),
             floats({2, 3}, {1, 10, 100, 2, 20, 200}));
  expectNear(evaluated("a? b", "%x: !model.tensor<f32, a>, %y: !model.tensor<f32, b>",
                       "%r = model.mul %x, %y : <f32, a>, <f32, b>",
                       {floats({0}, {}), floats({3}, {1, 2, 3})}),
             floats({0, 3}, {}));
}

} // namespace
