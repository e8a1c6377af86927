// Attention with a bias, a cap and dropout, and its gradient, of a GPU on the emulator, against the
// interpreter: each thread makes scores of its products, and weights of these.
#include "ir/cuda/AttentionSchedules.h"
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

struct Built {
  const char *device;
  bool gradient;
};

struct GpuScores : testing::TestWithParam<Built> {
  void check(const AttentionCase &attention, const std::vector<Sizes> &all, double factor = 1,
             double error = 1e-5) {
    AttentionRuns runs(attention, GetParam().gradient, GetParam().device);
    EmulatedKernel kernel = runs.compiled();
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    for (const Sizes &sizes : all) {
      std::string text = runs.drawnFrom() + ", ";
      for (const auto &[dim, size] : sizes)
        text += dim + "=" + std::to_string(size) + " ";
      SCOPED_TRACE(text);
      runs.draw(sizes, nullptr, factor);
      for (uint64_t order : {uint64_t(0), runs.seed()})
        EXPECT_EQ(runs.problemOf(kernel, order, error), "") << "order " << order;
    }
  }
};

const AttentionCase heads = headsOf("d=16", "w=8");
const std::vector<Sizes> tails{{{"b", 2}, {"s", 3}, {"t", 33}},
                               {{"b", 1}, {"s", 65}, {"t", 65}},
                               {{"b", 1}, {"s", 1}, {"t", 1}}};

TEST_P(GpuScores, Cap) {
  check(capped(heads), tails);
  check(causal(capped(heads)), tails);
}

TEST_P(GpuScores, BiasOfPositions) {
  check(sloped(heads), tails);
}

TEST_P(GpuScores, BiasThatIsData) {
  AttentionCase attention = biased(heads, {"h", "s", "t"});
  attention.biasGradient = false;
  check(attention, tails);
  check(causal(capped(attention, /*bias=*/true)), tails);
}

// Its gradient is added up over the batch (BiasGradientTest).
TEST_P(GpuScores, GradientOfABias) {
  check(causal(capped(biased(heads, {"h", "s", "t"}))),
        {{{"b", 2}, {"s", 5}, {"t", 5}}, {{"b", 1}, {"s", 17}, {"t", 17}}});
}

TEST_P(GpuScores, Dropout) {
  check(dropped(heads, {"b", "h", "s", "t"}), tails);
  check(causal(dropped(capped(sloped(heads)), {"b", "h", "s", "t"})), tails);
}

// Depths that are not known are computed as rows.
TEST_P(GpuScores, AsRows) {
  AttentionCase attention{.dims = {"b", "s", "t", "h", "d"},
                          .q = {"b", "s", "h", "d"},
                          .k = {"b", "t", "h", "d"},
                          .v = {"b", "t", "h", "d"}};
  check(causal(dropped(capped(sloped(attention)), {"b", "h", "s", "t"})),
        {{{"b", 2}, {"s", 5}, {"t", 5}, {"h", 2}, {"d", 3}}});
}

// A logsumexp of hundreds says too little: its terms are found again from scores as they are.
TEST_P(GpuScores, LargeScores) {
  AttentionCase attention = causal(dropped(sloped(heads), {"b", "h", "s", "t"}));
  check(attention, {{{"b", 1}, {"s", 40}, {"t", 40}}}, /*factor=*/100, /*error=*/1e-3);
  attention.cap = "300.0";
  check(attention, {{{"b", 1}, {"s", 40}, {"t", 40}}}, /*factor=*/100, /*error=*/1e-3);
}

// Matrix instructions do not look at scores one by one.
TEST_P(GpuScores, BfloatsAreMultipliedByThreads) {
  AttentionCase attention = narrow(heads);
  if (GetParam().gradient)
    attention = narrowOutput(attention);
  check(causal(capped(attention)), tails);
}

INSTANTIATE_TEST_SUITE_P(Every, GpuScores,
                         testing::Values(Built{"sm_80", false}, Built{"sm_80", true},
                                         Built{"sm_90a", true}),
                         [](const auto &info) {
                           return std::string(info.param.device) +
                                  (info.param.gradient ? "_gradient" : "_forward");
                         });

} // namespace
