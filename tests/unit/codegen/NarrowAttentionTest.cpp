// Attention whose sides are stored as bfloat16, against the interpreter in f64: sizes around every
// tile and pair, masks, layouts. Numbers are such as a bfloat16 can be, so that nothing is rounded
// that the program does not round.
#include "AttentionCase.h"
#include "EveryIsa.h"

#include "ir/cpu/Schedules.h"
#include "ir/kernel/DimTable.h"

#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

struct NarrowAttentionTest : EveryIsa {
  struct Given {
    std::function<double(const Index &)> mask = nullptr;
    double error = 1e-5, times = 1; // of queries
  };

  /// Weights as they are, and as products may read them.
  void check(const AttentionCase &attention, const std::vector<Sizes> &all, const Given &given) {
    for (bool narrowed : {false, true}) {
      SCOPED_TRACE(narrowed ? "narrow weights" : "");
      checkOne(narrowed ? narrowWeights(narrow(attention)) : narrow(attention), all, given);
    }
  }
  void check(const AttentionCase &attention, const std::vector<Sizes> &all) {
    check(attention, all, {});
  }

  void checkOne(const AttentionCase &attention, const std::vector<Sizes> &all, const Given &given) {
    Kernel forward(GetParam(), attention.forwardKernel());
    Kernel backward(GetParam(), attention.gradientKernel());
    ASSERT_TRUE(forward.ok() && backward.ok());
    for (const Sizes &free : all) {
      const Sizes sizes = attention.sizes(free);
      SCOPED_TRACE(textOf(sizes));
      std::vector<Tensor> inputs = attention.sides(sizes, /*drawn=*/1);
      for (double &value : inputs[0].data)
        value *= given.times;
      Tensor gradient = Tensor::normal(attention.output(), sizes, 4);
      for (Tensor *each : {&inputs[0], &inputs[1], &inputs[2], &gradient})
        AttentionCase::round(*each);
      if (!attention.operand.empty())
        inputs.push_back(Tensor::of(attention.operand, sizes, given.mask));
      if (attention.biasOperand)
        inputs.push_back(Tensor::normal(*attention.biasOperand, sizes, 5));
      std::vector<Tensor> want = attention.reference(sizes, inputs, gradient);
      ASSERT_GE(want.size(), 5u);
      expect(attention, false, sizes, inputs, forward.run(sizes, inputs),
             {want.begin(), want.begin() + 2}, given.error);
      inputs.insert(inputs.end(), {want[0], want[1], gradient});
      expect(attention, true, sizes, inputs, backward.run(sizes, inputs),
             {want.begin() + 2, want.end()}, 10 * given.error);
    }
  }

private:
  static void expect(const AttentionCase &attention, bool gradient, const Sizes &sizes,
                     const std::vector<Tensor> &inputs, std::vector<Tensor> got,
                     const std::vector<Tensor> &want, double error) {
    if (attention.narrowWeights) {
      std::vector<Tensor> bounds = attention.bounds(gradient, sizes, inputs);
      for (size_t i = 0; i < got.size(); ++i)
        got[i] = within(got[i], want[i], bounds[i]);
    }
    if (gradient) {
      EXPECT_TRUE(close(joined(got), joined(want), error)) << "gradients";
      return;
    }
    EXPECT_TRUE(close(got[0], want[0], error)) << "output";
    EXPECT_TRUE(close(got[1], want[1], error)) << "logsumexp";
  }
};

const AttentionCase plain{
    .dims = {"s", "t", "d", "w"}, .q = {"s", "d"}, .k = {"t", "d"}, .v = {"t", "w"}};

const AttentionCase heads{.dims = {"b", "s", "t", "h=3", "d=64"},
                          .q = {"b", "s", "h", "d"},
                          .k = {"b", "t", "h", "d"},
                          .v = {"b", "t", "h", "d"}};

Sizes sizesOf(int64_t s, int64_t t, int64_t d, int64_t w) {
  return {{"s", s}, {"t", t}, {"d", d}, {"w", w}};
}

TEST_P(NarrowAttentionTest, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 8, 9, 24, 25, 193})
    all.push_back(sizesOf(s, 17, 8, 8));
  for (int64_t t : {0, 1, 2, 15, 16, 17, 31, 33, 97, 255, 256, 257, 300})
    all.push_back(sizesOf(9, t, 9, 8));
  for (int64_t d : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 80})
    all.push_back(sizesOf(9, 21, d, 5)), all.push_back(sizesOf(9, 21, 5, d));
  check(plain, all);
}

TEST_P(NarrowAttentionTest, Heads) {
  check(heads, {{{"b", 2}, {"s", 37}, {"t", 71}}, {{"b", 1}, {"s", 1}, {"t", 33}}});
  std::vector<Sizes> all;
  for (int64_t s : {1, 16, 25, 65, 200, 301})
    all.push_back({{"b", 1}, {"s", s}, {"t", s}});
  check(causal(heads), all);
  check(windowed(heads), {{{"b", 1}, {"s", 300}, {"t", 300}}, {{"b", 1}, {"s", 19}, {"t", 21}}});
}

// Few queries read keys and values where they lie, and more than that copies of them.
TEST_P(NarrowAttentionTest, FewQueries) {
  for (const char *depth : {"d=24", "d=5"}) {
    AttentionCase attention{.dims = {"b", "s", "t", "h=2", depth, "w=32"},
                            .q = {"b", "s", "h", "d"},
                            .k = {"b", "t", "h", "d"},
                            .v = {"b", "t", "h", "w"}};
    std::vector<Sizes> all;
    for (int64_t s : {1, 7, 8, 9})
      for (int64_t t : {1, 17, 300})
        all.push_back({{"b", 2}, {"s", s}, {"t", t}});
    check(attention, all);
  }
}

TEST_P(NarrowAttentionTest, MaskThatIsData) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  auto hides = [](const Index &at) {
    return at.at("s") % 3 == 0 || (5 * at.at("s") + 3 * at.at("t") + at.at("b")) % 7 < 3;
  };
  check(attention, {{{"b", 2}, {"s", 50}, {"t", 71}}, {{"b", 1}, {"s", 9}, {"t", 3}}},
        {.mask = hides});
}

// Neither columns nor rows side by side.
TEST_P(NarrowAttentionTest, StridedLayouts) {
  AttentionCase attention = causal(heads);
  attention.layouts = {{"q", R"(#kernel.layout<b: "s * 384", s: "384", h: "1", d: "5">)"},
                       {"k", R"(#kernel.layout<b: "40 * 192", t: "1", h: "40 * 64", d: "40">)"},
                       {"v", R"(#kernel.layout<b: "40 * 192", t: "1", h: "40 * 64", d: "40">)"}};
  check(attention, {{{"b", 2}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
}

TEST_P(NarrowAttentionTest, GroupedHeads) {
  AttentionCase attention = causal({.dims = {"b", "s", "t", "g=2", "r=3", "d=10"},
                                    .q = {"b", "s", "g", "r", "d"},
                                    .k = {"b", "t", "g", "d"},
                                    .v = {"b", "t", "g", "d"}});
  check(attention, {{{"b", 2}, {"s", 30}, {"t", 30}}, {{"b", 1}, {"s", 100}, {"t", 100}}});
}

// Products get their factor when they are read: where it is negative or none, before the maximum.
TEST_P(NarrowAttentionTest, Factors) {
  for (const char *scale : {"-0.5", "0.0", "3.0"}) {
    AttentionCase attention = causal(heads);
    attention.scale = scale;
    check(attention, {{{"b", 1}, {"s", 70}, {"t", 70}}, {{"b", 1}, {"s", 2}, {"t", 33}}},
          {.error = 5e-5});
  }
  check(causal(heads), {{{"b", 1}, {"s", 70}, {"t", 70}}}, {.error = 2e-4, .times = 50});
}

// Weights are not read as bfloat16 here: that is said of plain scores only.
TEST_P(NarrowAttentionTest, WhatIsDoneToScores) {
  for (const AttentionCase &attention :
       {biased(causal(heads), {"h", "s", "t"}), sloped(heads), capped(causal(heads)),
        dropped(heads, {"b", "h", "s", "t"})})
    checkOne(narrow(attention), {{{"b", 2}, {"s", 37}, {"t", 37}}, {{"b", 1}, {"s", 3}, {"t", 33}}},
             {});
}

// A tile of AMX is written as a whole: no schedule has tiles of fewer queries.
TEST(AmxAttention, HasWholeTilesInEverySchedule) {
  const AttentionCase attention{.dims = {"b", "s", "t", "h=2", "d=64"},
                                .q = {"b", "s", "h", "d"},
                                .k = {"b", "t", "h", "d"},
                                .v = {"b", "t", "h", "d"}};
  Kernel kernel(cpu::Isa::amx, narrowWeights(narrow(attention)).forwardKernel());
  ASSERT_TRUE(kernel.ok());
  const auto dims = kernel::DimTable::of(kernel.op()->getParentOfType<mlir::ModuleOp>());
  const cpu::Machine &amx = cpu::machineOf(cpu::Isa::amx);
  auto legal = cpu::legalSchedules({kernel.op(), dims}, amx);
  ASSERT_TRUE(succeeded(legal));
  EXPECT_GT(legal->size(), 1u);
  for (kernel::ScheduleAttr each : *legal)
    EXPECT_TRUE(succeeded(cpu::checkSchedule(kernel.op(), each, amx)));
  const cpu::Machine &vectors = cpu::machineOf(cpu::Isa::avx512);
  auto usual = cpu::defaultSchedule({kernel.op(), dims}, vectors);
  ASSERT_TRUE(succeeded(usual));
  mlir::ScopedDiagnosticHandler quiet(kernel.op()->getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  EXPECT_TRUE(failed(cpu::checkSchedule(kernel.op(), *usual, amx)));
}

INSTANTIATE_TEST_SUITE_P(Isa, NarrowAttentionTest, everyIsaOfProducts(), isaName);

} // namespace
