// What is tuned: each distinct kernel once, with how often a run launches it.
#include "tools/tune/Subjects.h"

#include "tests/unit/tune/Module.h"

using namespace weft;

namespace {

// In a loop and behind it, with other names: one kernel. Another one in another function.
const char *text = R"(
model.dim @m
model.dim @n
model.dim @layer = #model.size<12>
model.dim @k = #model.size<64>
func.func @f(%x: !model.tensor<f32, m, k>, %y: !model.tensor<f32, n, k>) {
  %0 = model.repeat "layer" carry(%h = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>) {
    %1 = kernel.fused rows "inner" (%a = %h : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
        attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">]} {
      %e = model.neg %a : !model.tensor<f32, m, k>
      kernel.yield %e : !model.tensor<f32, m, k>
    }
    model.yield %1 : !model.tensor<f32, m, k>
  }
  %2 = kernel.fused rows "outer" (%a = %y : !model.tensor<f32, n, k>) -> (!model.tensor<f32, n, k>)
      attributes {layouts = [#kernel.layout<n: "64", k: "1">, #kernel.layout<n: "64", k: "1">]} {
    %e = model.neg %a : !model.tensor<f32, n, k>
    kernel.yield %e : !model.tensor<f32, n, k>
  }
  return
}
func.func @g(%y: !model.tensor<f32, n, k>) {
  %2 = kernel.fused rows "other" (%a = %y : !model.tensor<f32, n, k>) -> (!model.tensor<f32, n, k>)
      attributes {layouts = [#kernel.layout<n: "64", k: "1">, #kernel.layout<n: "64", k: "1">]} {
    %e = model.exp %a : !model.tensor<f32, n, k>
    kernel.yield %e : !model.tensor<f32, n, k>
  }
  return
})";

class Subjects : public test::ModuleTest {
protected:
  std::vector<tune::Subject> of(llvm::StringRef function) {
    return tune::subjectsOf(
        read(text),
        [&](mlir::func::FuncOp each) { return function.empty() || each.getSymName() == function; },
        {{{"m", 3}, {"n", 5}, {"layer", 12}, {"k", 64}},
         {{"m", 9}, {"n", 5}, {"layer", 12}, {"k", 64}}});
  }
};

TEST_F(Subjects, CountLaunchesOfEachDistinctKernel) {
  std::vector<tune::Subject> all = of("");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].op.getLabel(), "inner");
  // In the loop with 3 or 9 positions, and behind it with 5, which are called m in the first.
  EXPECT_EQ(all[0].launches, (std::vector<double>{12, 12, 2}));
  ASSERT_EQ(all[0].points.size(), 3u);
  EXPECT_EQ(all[0].points[0].at("m"), 3);
  EXPECT_EQ(all[0].points[1].at("m"), 9);
  EXPECT_EQ(all[0].points[2].at("m"), 5);
  EXPECT_EQ(all[0].allLaunches(), 26);
  EXPECT_EQ(all[1].op.getLabel(), "other");
  EXPECT_EQ(all[1].launches, (std::vector<double>{2})); // both runs have 5
  EXPECT_EQ(all[0].key.dims.size(), 1u);
  EXPECT_EQ(all[0].key.dims[0], "m");
}

TEST_F(Subjects, AreThoseOfTheFunctionsThatAreWanted) {
  std::vector<tune::Subject> all = of("g");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].op.getLabel(), "other");
}

TEST_F(Subjects, HaveANameOfOneLine) {
  std::vector<tune::Subject> all = of("g");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(tune::nameOf(all[0].op), "rows \"other\"");
  all[0].op.setLabel("a\nb\x01");
  EXPECT_EQ(tune::nameOf(all[0].op), "rows \"a b \"");
}

} // namespace
