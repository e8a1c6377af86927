// Repeat: carried, sliced and stacked values, reading and assigning parameters.
#include "Interpreted.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

const std::string head = R"(
  model.dim @a
  model.dim @layer = <3>
  model.parameter @w : !model.tensor<f32, layer, a> loops 1 init normal value 1.0
  model.parameter @count : !model.tensor<i32> kind state
  model.parameter @seen : !model.tensor<f32, layer> loops 1 kind state value 0.5
)";

/// y = x * w of each layer in turn; gives the last y and what each pass started with.
std::string chain(const std::string &how) {
  return head + R"(
  func.func @f(%x: !model.tensor<f32, a>) -> (!model.tensor<f32, a>, !model.tensor<f32, layer, a>) {
    %y:2 = model.repeat "layer" )" +
         how +
         R"( carry(%c = %x : <f32, a>) -> (!model.tensor<f32, a>, !model.tensor<f32, layer, a>) {
      %w = model.param @w : <f32, a>
      %one = model.constant 1.0
      %p = model.mul %c, %w : <f32, a>, <f32, a>
      %n = model.add %p, %one : <f32, a>, <f32>
      model.yield %n, %c : !model.tensor<f32, a>, !model.tensor<f32, a>
    }
    return %y#0, %y#1 : !model.tensor<f32, a>, !model.tensor<f32, layer, a>
  })";
}

const Array w = floats({3, 2}, {1, 2, 3, 4, 5, 6});

/// Both results of the chain for x = [1, 1].
std::vector<Array> chained(const std::string &how) {
  Program program(chain(how));
  EXPECT_TRUE(program.ok()) << program.errors();
  EXPECT_TRUE(succeeded(program.interpreter().setParameter("w", w)));
  std::vector<Array> results = program.run({floats({2}, {1, 1})});
  EXPECT_EQ(results.size(), 2u) << program.errors();
  results.resize(2);
  return results;
}

TEST(Repeat, CarriesAndStacks) {
  std::vector<Array> results = chained("");
  expectNear(results[0], floats({2}, {36, 79})); // ((1*1+1)*3+1)*5+1, ((1*2+1)*4+1)*6+1
  expectNear(results[1], floats({3, 2}, {1, 1, 2, 3, 7, 13}));
}

TEST(Repeat, InReverseSlicesStayAtTheirPosition) {
  std::vector<Array> results = chained("reverse");
  expectNear(results[0], floats({2}, {20, 59})); // ((1*5+1)*3+1)*1+1, ((1*6+1)*4+1)*2+1
  expectNear(results[1], floats({3, 2}, {19, 29, 6, 7, 1, 1}));
}

TEST(Repeat, SlicesAnOperandAlongItsDimensionWhereverThatStands) {
  expectNear(
      evaluated(
          "a layer=2", "%x: !model.tensor<f32, a>, %s: !model.tensor<f32, a, layer>",
          "%r = model.repeat \"layer\" carry(%c = %x : <f32, a>) slices(%t = %s : <f32, a, layer>) "
          "-> "
          "!model.tensor<f32, a> {\n"
          "%n = model.sub %t, %c : <f32, a>, <f32, a>\nmodel.yield %n : !model.tensor<f32, a>\n}",
          {floats({2}, {1, 2}), floats({2, 2}, {10, 100, 20, 200})}),
      floats({2}, {91, 182}));
}

TEST(Repeat, ZeroPassesAreTheIdentity) {
  expectNear(
      evaluated("a layer=0", "%x: !model.tensor<f32, a>",
                "%r = model.repeat \"layer\" carry(%c = %x : <f32, a>) -> !model.tensor<f32, a> {\n"
                "%n = model.neg %c : <f32, a>\nmodel.yield %n : !model.tensor<f32, a>\n}",
                {floats({2}, {1, 2})}),
      floats({2}, {1, 2}));
}

TEST(Repeat, Nests) {
  // inner loops start from what the outer carries: 2 * 3 doublings
  expectNear(
      evaluated(
          "a outer=2 inner=3", "%x: !model.tensor<f32, a>",
          "%r = model.repeat \"outer\" carry(%c = %x : <f32, a>) -> !model.tensor<f32, a> {\n"
          "%i = model.repeat \"inner\" carry(%d = %c : <f32, a>) -> !model.tensor<f32, a> {\n"
          "%n = model.add %d, %d : <f32, a>, <f32, a>\nmodel.yield %n : !model.tensor<f32, a>\n}\n"
          "model.yield %i : !model.tensor<f32, a>\n}",
          {floats({1}, {1})}),
      floats({1}, {64}));
}

TEST(Parameter, AssignedValuesAreThoseOfTheNextRun) {
  Program program(head + R"(
  func.func @f() -> (!model.tensor<i32>) {
    %before = model.param @count : <i32>
    %one = model.constant 1
    %next = model.add %before, %one : <i32>, <i32>
    model.assign @count, %next : <i32>
    %again = model.param @count : <i32>
    return %again : !model.tensor<i32>
  })");
  ASSERT_TRUE(program.ok()) << program.errors();
  for (int64_t run : {0, 1, 2})
    expectNear(program.run({}).at(0), wholes({}, {run}));
  expectNear(*program.interpreter().parameter("count"), wholes({}, {3}));
}

TEST(Parameter, APassAssignsItsSlice) {
  Program program(head + R"(
  func.func @f() {
    %zero = model.constant 0.0
    %r = model.repeat "layer" carry(%c = %zero : <f32>) -> !model.tensor<f32> {
      %s = model.param @seen : <f32>
      %n = model.add %c, %s : <f32>, <f32>
      model.assign @seen, %n : <f32>
      model.yield %n : !model.tensor<f32>
    }
    return
  })");
  ASSERT_TRUE(program.ok()) << program.errors();
  program.run({});
  ASSERT_EQ(program.errors(), "");
  expectNear(*program.interpreter().parameter("seen"), floats({3}, {0.5, 1, 1.5}));
}

TEST(Parameter, OutsideItsLoopsItIsWhole) {
  Program program(head + R"(
  func.func @f() -> !model.tensor<f32, layer> {
    %s = model.param @seen : <f32, layer>
    return %s : !model.tensor<f32, layer>
  })");
  expectNear(program.run({}).at(0), floats({3}, {0.5, 0.5, 0.5}));
}

TEST(Parameter, MustHaveAValueAndTheRightOne) {
  Program program(chain(""));
  EXPECT_TRUE(program.run({floats({2}, {1, 1})}).empty());
  EXPECT_NE(program.errors().find("parameter `w` has no value"), std::string::npos)
      << program.errors();
  EXPECT_TRUE(failed(program.interpreter().setParameter("v", w)));
  EXPECT_NE(program.errors().find("there is no parameter `v`"), std::string::npos);
  EXPECT_TRUE(failed(program.interpreter().setParameter("w", floats({2, 2}, {1, 2, 3, 4}))));
  EXPECT_NE(program.errors().find("parameter `w`: layer is 2, the program has layer = 3"),
            std::string::npos);
  EXPECT_TRUE(failed(program.interpreter().setParameter("seen", wholes({3}, {1, 2, 3}))));
  EXPECT_NE(program.errors().find("parameter `seen` has elements int, the program wants float"),
            std::string::npos);
}

} // namespace
