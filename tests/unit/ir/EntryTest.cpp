// What comes in: sizes from inputs, contradictions, bounds, index ranges; runs by name.
#include "Interpreted.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

const std::string text = R"(
  model.dim @batch
  model.dim @seq bound <position>
  model.dim @position = <4>
  model.dim @vocab = <5>
  model.dim @half = <seq / 2>
  model.dim @pair = <2>
  model.parameter @table : !model.tensor<f32, vocab> init normal value 1.0
  func.func @f(%t: !model.tensor<index<vocab>, batch, seq> {model.name = "tokens"},
               %k: !model.tensor<i1, batch, seq> {model.name = "keep"})
      -> (!model.tensor<f32, batch, half> {model.name = "halves"}) attributes {model.entry = "f"} {
    %table = model.param @table : <f32, vocab>
    %zero = model.constant 0.0
    %x = model.gather %table "vocab" = %t : <f32, vocab>, <index<vocab>, batch, seq>
    %m = model.where %k, %x, %zero : <i1, batch, seq>, <f32, batch, seq>, <f32>
    %s = model.regroup %m ["seq"] as ["half", "pair"] : <f32, batch, seq>
    %r = model.sum ["pair"] %s : <f32, batch, half, pair>
    return %r : !model.tensor<f32, batch, half>
  }
  func.func @g() -> !model.tensor<i32> {
    %r = model.extent <batch>
    return %r : !model.tensor<i32>
  })";

struct Entry : testing::Test {
  Program program{text};

  void SetUp() override {
    ASSERT_TRUE(program.ok()) << program.errors();
    ASSERT_TRUE(
        succeeded(program.interpreter().setParameter("table", floats({5}, {1, 2, 3, 4, 5}))));
  }
  void expectError(std::vector<Array> inputs, const std::string &message,
                   const std::string &entry = "f") {
    EXPECT_TRUE(program.run(std::move(inputs), entry).empty());
    EXPECT_NE(program.errors().find(message), std::string::npos) << program.errors();
  }
};

TEST_F(Entry, Runs) {
  expectNear(program.run({wholes({1, 4}, {0, 1, 2, 4}), switches({1, 4}, {1, 1, 0, 1})}).at(0),
             floats({1, 2}, {3, 5}));
  EXPECT_EQ(program.errors(), "");
}

TEST_F(Entry, ContradictionsNameBothTensors) {
  expectError({wholes({1, 2}, {0, 1}), switches({1, 4}, {1, 1, 0, 1})},
              "input `keep`: seq is 4, but input `tokens` has seq 2");
}

TEST_F(Entry, SizesAgainstTheProgram) {
  expectError({wholes({1, 6}, {0, 0, 0, 0, 0, 0}), switches({1, 6}, {1, 1, 1, 1, 1, 1})},
              ", but 6 is more than 4; seq = 6 comes from input `tokens`");
  expectError({wholes({1, 3}, {0, 1, 2}), switches({1, 3}, {1, 1, 1})},
              " is not whole: 3 is not a multiple of 2; seq = 3 comes from input `tokens`");
  expectError({wholes({1, 0}, {}), switches({1, 0}, {})},
              "input `tokens`: seq is 0, expected at least 1");
}

TEST_F(Entry, ElementsAndRanks) {
  expectError({floats({1, 2}, {0, 1}), switches({1, 2}, {1, 1})},
              "input `tokens` has elements float, the program wants int");
  expectError({wholes({2}, {0, 1}), switches({1, 2}, {1, 1})}, "input `tokens` has 1 dimensions");
  expectError({wholes({1, 2}, {0}), switches({1, 2}, {1, 1})},
              "input `tokens` has 1 elements, its shape says 2");
  expectError({wholes({1, 2}, {0, 1})}, "`f` takes 2 inputs, not 1");
  expectError({}, "there is no entry `h`", "h");
}

TEST_F(Entry, IndicesAreChecked) {
  expectError({wholes({1, 2}, {0, 5}), switches({1, 2}, {1, 1})},
              "input `tokens` holds 5, but vocab has size 5");
  expectError({wholes({1, 2}, {0, -1}), switches({1, 2}, {1, 1})},
              "input `tokens` holds -1, but vocab has size 5");
}

TEST_F(Entry, ASizeThatNobodyGivesIsAnError) {
  expectError({}, "the size of `batch` is not known: no input of `g` has it", "g");
  Interpreter given(program.module(), {{"batch", 7}});
  expectNear(given.run("g", {})->at(0), wholes({}, {7}));
}

TEST_F(Entry, RunsByName) {
  auto run = [&] {
    NamedRun named;
    named.inputs["tokens"] = wholes({1, 2}, {0, 4});
    named.inputs["keep"] = switches({1, 2}, {1, 1});
    named.parameters["table"] = floats({5}, {1, 2, 3, 4, 5});
    return named;
  };
  auto results = runInterpreted(program.module(), "f", run());
  ASSERT_TRUE(succeeded(results)) << program.errors();
  expectNear(results->outputs["halves"], floats({1, 1}, {6}));
  expectNear(results->parameters["table"], floats({5}, {1, 2, 3, 4, 5}));

  NamedRun missing = run(), surplus = run();
  missing.inputs.erase("keep");
  surplus.inputs["mask"] = switches({}, {1});
  EXPECT_TRUE(failed(runInterpreted(program.module(), "f", std::move(missing))));
  EXPECT_TRUE(failed(runInterpreted(program.module(), "f", std::move(surplus))));
  EXPECT_EQ(program.errors(), "input `keep` is missing\n`f` has no input `mask`\n");
}

} // namespace
