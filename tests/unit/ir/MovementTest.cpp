// Views, and ops that move elements.
#include "Interpreted.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

const std::string ab = "%x: !model.tensor<f32, a, b>";
const Array x = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Broadcast, FurtherDimensionsComeLast) {
  expectNear(evaluated("a c=2", "%x: !model.tensor<f32, a>",
                       "%r = model.broadcast %x along [\"c\"] : <f32, a>", {floats({2}, {1, 2})}),
             floats({2, 2}, {1, 1, 2, 2}));
}

TEST(Arrange, Transposes) {
  expectNear(evaluated("a b", ab, "%r = model.arrange %x : <f32, a, b> -> <f32, b, a>", {x}),
             floats({3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST(Regroup, RenamesSplitsAndMerges) {
  auto regroup = [](const std::string &dims, const std::string &how, const Array &input) {
    return evaluated(dims, ab, "%r = model.regroup %x " + how + " : <f32, a, b>", {input});
  };
  expectNear(regroup("a b c=b", "[\"b\"] as [\"c\"]", x), x);
  expectNear(
      regroup("a b d=3 e=b/d", "[\"b\"] as [\"d\", \"e\"]", floats({1, 6}, {0, 1, 2, 3, 4, 5})),
      floats({1, 3, 2}, {0, 1, 2, 3, 4, 5}));
  expectNear(regroup("a b c=a*b", "[\"a\", \"b\"] as [\"c\"]", x), floats({6}, {1, 2, 3, 4, 5, 6}));
  expectNear(regroup("a b c=a*b", "[\"b\", \"a\"] as [\"c\"]", x), floats({6}, {1, 4, 2, 5, 3, 6}));
  // counts along (b, a) and along (a, b) meet: element (a, b) comes from count 3 a + b of the
  // transposed
  expectNear(regroup("a=2 b=3", "[\"b\", \"a\"] as [\"a\", \"b\"]", x),
             floats({2, 3}, {1, 4, 2, 5, 3, 6}));
}

TEST(Regroup, DimensionsThatDoNotStandTogether) {
  // image[height as (row, ph), width as (col, pw)] merged: (row, col) as patch, (ph, pw) as pixel
  std::string arguments = "%x: !model.tensor<f32, row, ph, col, pw>";
  std::string lines =
      "%p = model.regroup %x [\"row\", \"col\"] as [\"patch\"] : <f32, row, ph, col, pw>\n"
      "%r = model.regroup %p [\"ph\", \"pw\"] as [\"pixel\"] : <f32, patch, ph, pw>";
  Floats image(16);
  std::iota(image.begin(), image.end(), 0);
  expectNear(evaluated("row=2 ph=2 col=2 pw=2 patch=4 pixel=4", arguments, lines,
                       {floats({2, 2, 2, 2}, image)}),
             floats({4, 4}, {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(Part, TakesAndConcatJoins) {
  std::string dims = "a b s=1 t=b-1";
  std::string parts = "%s = model.part %x \"b\" as \"s\" at <0> : <f32, a, b>\n"
                      "%t = model.part %x \"b\" as \"t\" at <s> : <f32, a, b>\n";
  expectNear(evaluated(dims, ab, parts + "%r = model.neg %s : <f32, a, s>", {x}),
             floats({2, 1}, {-1, -4}));
  expectNear(evaluated(dims, ab, parts + "%r = model.neg %t : <f32, a, t>", {x}),
             floats({2, 2}, {-2, -3, -5, -6}));
  expectNear(evaluated(dims, ab,
                       parts + "%r = model.concat \"b\" of [\"s\", \"t\"] %s, %t : "
                               "!model.tensor<f32, a, s>, !model.tensor<f32, a, t>",
                       {x}),
             x);
}

TEST(Concat, APartThatLacksADimensionIsTheSameAlongIt) {
  expectNear(evaluated("a b s=1 t=4", "%x: !model.tensor<f32, s>, %y: !model.tensor<f32, a, b>",
                       "%r = model.concat \"t\" of [\"s\", \"b\"] %x, %y : "
                       "!model.tensor<f32, s>, !model.tensor<f32, a, b>",
                       {floats({1}, {9}), x}),
             floats({4, 2}, {9, 9, 1, 4, 2, 5, 3, 6}));
}

TEST(Pick, OnePosition) {
  expectNear(evaluated("a b", ab, "%r = model.pick %x \"b\" = 2 : <f32, a, b>", {x}),
             floats({2}, {3, 6}));
}

TEST(Gather, MeetsByName) {
  std::string arguments = ab + ", %i: !model.tensor<i32, a>, %j: !model.tensor<i32, c>";
  std::vector<Array> inputs = {x, wholes({2}, {2, 0}), wholes({4}, {0, 0, 1, 1})};
  expectNear(evaluated("a b c", arguments,
                       "%r = model.gather %x \"b\" = %i : <f32, a, b>, <i32, a>", inputs),
             floats({2}, {3, 4}));
  expectNear(evaluated("a b c", arguments,
                       "%r = model.gather %x \"a\" = %j : <f32, a, b>, <i32, c>", inputs),
             floats({4, 3}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
}

TEST(Gather, AnIndexMayBringTheDimensionItself) {
  std::string arguments = "%x: !model.tensor<f32, a>, %i: !model.tensor<i32, a>";
  expectNear(evaluated("a", arguments, "%r = model.gather %x \"a\" = %i : <f32, a>, <i32, a>",
                       {floats({3}, {10, 20, 30}), wholes({3}, {2, 2, 0})}),
             floats({3}, {30, 30, 10}));
}

TEST(Gather, AnIndexOutsideIsAnError) {
  Program program(
      "func.func @f(%x: !model.tensor<f32, a>, %i: !model.tensor<i32>) -> !model.tensor<f32> {\n"
      "%r = model.gather %x \"a\" = %i : <f32, a>, <i32>\nreturn %r : !model.tensor<f32>\n}\n"
      "model.dim @a");
  EXPECT_EQ(program.run({floats({3}, {1, 2, 3}), wholes({}, {2})}).size(), 1u);
  EXPECT_TRUE(program.run({floats({3}, {1, 2, 3}), wholes({}, {3})}).empty());
  EXPECT_NE(program.errors().find("index 3 is outside 'a', which has size 3"), std::string::npos);
}

TEST(Scatter, AddsAndSumsWhatTheResultLacks) {
  std::string arguments = "%x: !model.tensor<f32, t, m>, %i: !model.tensor<i32, t>";
  std::vector<Array> inputs = {floats({3, 2}, {1, 2, 10, 20, 100, 200}), wholes({3}, {1, 3, 1})};
  expectNear(evaluated("t m v=4", arguments,
                       "%r = model.scatter %x \"v\" = %i : <f32, t, m>, <i32, t> -> <f32, v, m>",
                       inputs),
             floats({4, 2}, {0, 0, 101, 202, 0, 0, 10, 20}));
  expectNear(evaluated("t m v=4", arguments,
                       "%r = model.scatter %x \"v\" = %i : <f32, t, m>, <i32, t> -> <f32, t, v>",
                       inputs),
             floats({3, 4}, {0, 3, 0, 0, 0, 0, 0, 30, 0, 300, 0, 0}));
}

TEST(Scatter, OfADimensionOntoItself) {
  std::string arguments = "%x: !model.tensor<f32, a>, %i: !model.tensor<i32, a>";
  expectNear(evaluated("a", arguments,
                       "%r = model.scatter %x \"a\" = %i : <f32, a>, <i32, a> -> <f32, a>",
                       {floats({3}, {10, 20, 30}), wholes({3}, {2, 2, 0})}),
             floats({3}, {30, 0, 30}));
}

TEST(Scatter, IsTheTransposeOfGather) {
  // <gather(x, i), y> = <x, scatter(y, i)> for every x and y
  std::string arguments =
      "%x: !model.tensor<f32, v, m>, %i: !model.tensor<i32, t>, %y: !model.tensor<f32, t, m>";
  std::vector<Array> inputs = {floats({3, 2}, {1, -2, 3, 5, 7, 11}), wholes({4}, {2, 0, 2, 1}),
                               floats({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})};
  Array left = evaluated("v m t", arguments,
                         "%g = model.gather %x \"v\" = %i : <f32, v, m>, <i32, t>\n"
                         "%p = model.mul %g, %y : <f32, t, m>, <f32, t, m>\n"
                         "%r = model.sum [\"m\", \"t\"] %p : <f32, t, m>",
                         inputs);
  Array right =
      evaluated("v m t", arguments,
                "%s = model.scatter %y \"v\" = %i : <f32, t, m>, <i32, t> -> <f32, v, m>\n"
                "%p = model.mul %x, %s : <f32, v, m>, <f32, v, m>\n"
                "%r = model.sum [\"m\", \"v\"] %p : <f32, v, m>",
                inputs);
  expectNear(left, right);
}

TEST(InsertPart, ReplacesAndBroadcasts) {
  expectNear(evaluated("a b p=2", ab + ", %y: !model.tensor<f32, p>",
                       "%r = model.insert_part %y into %x \"b\" as \"p\" at <1> : "
                       "<f32, p>, <f32, a, b> -> <f32, a, b>",
                       {x, floats({2}, {8, 9})}),
             floats({2, 3}, {1, 8, 9, 4, 8, 9}));
  expectNear(
      evaluated(
          "p b=4", "%y: !model.tensor<f32, p>",
          "%z = model.constant 0.0\n"
          "%r = model.insert_part %y into %z \"b\" as \"p\" at <1> : <f32, p>, <f32> -> <f32, b>",
          {floats({2}, {8, 9})}),
      floats({4}, {0, 8, 9, 0}));
}

TEST(Stack, NewDimensionLast) {
  expectNear(
      evaluated("a b two=2", ab + ", %y: !model.tensor<f32, a>",
                "%r = model.stack \"two\" %x, %y : !model.tensor<f32, a, b>, !model.tensor<f32, a>",
                {x, floats({2}, {8, 9})}),
      floats({2, 3, 2}, {1, 8, 2, 8, 3, 8, 4, 9, 5, 9, 6, 9}));
}

} // namespace
