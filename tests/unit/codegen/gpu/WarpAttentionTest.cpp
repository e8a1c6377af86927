// Attention and its gradient by matrix instructions of a warp, on the emulator against the
// interpreter: sizes around every tile, masks, grouped queries, layouts, large scores, schedules.
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

struct Built {
  const char *device;
  bool gradient;
};

struct GpuWarpAttention : testing::TestWithParam<Built> {
  /// Compiles once and runs for each of `all`, in two orders.
  void check(AttentionCase attention, const std::vector<Sizes> &all,
             const std::function<double(const Index &)> &mask = nullptr, double factor = 1,
             double error = 1e-5, int64_t alignment = 0) {
    AttentionRuns runs(narrow(attention), GetParam().gradient, GetParam().device);
    EmulatedKernel kernel = runs.compiled(nullptr, alignment);
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    EXPECT_NE(kernel.ptx().find("mma.sync"), std::string::npos) << "not by matrix instructions";
    for (const Sizes &sizes : all) {
      std::string text = runs.drawnFrom() + ", ";
      for (const auto &[dim, size] : sizes)
        text += dim + "=" + std::to_string(size) + " ";
      SCOPED_TRACE(text);
      runs.draw(sizes, mask, factor);
      for (uint64_t order : {uint64_t(0), runs.seed()})
        EXPECT_EQ(runs.problemOf(kernel, order, error), "") << "order " << order;
    }
  }
};

const AttentionCase heads = headsOf("d=16", "w=8");

TEST_P(GpuWarpAttention, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {0, 1, 15, 17, 63, 64, 65})
    all.push_back({{"b", 1}, {"s", s}, {"t", 5}});
  for (int64_t t : {0, 1, 15, 17, 31, 33, 63, 64, 65, 129})
    all.push_back({{"b", 2}, {"s", 3}, {"t", t}});
  all.push_back({{"b", 0}, {"s", 3}, {"t", 3}});
  check(heads, all);
}

TEST_P(GpuWarpAttention, DepthsAndValues) {
  for (auto [depth, values] : {std::pair("d=1", "w=1"),
                               {"d=5", "w=33"},
                               {"d=40", "w=3"},
                               {"d=64", "w=64"},
                               {"d=128", "w=128"}}) {
    SCOPED_TRACE(std::string(depth) + " " + values);
    check(headsOf(depth, values),
          {{{"b", 1}, {"s", 9}, {"t", 35}}, {{"b", 1}, {"s", 66}, {"t", 67}}});
  }
}

/// What is copied at once follows from strides and from where buffers begin.
TEST_P(GpuWarpAttention, PiecesOfEverySize) {
  for (int64_t alignment : {2, 4, 8, 16})
    check(causal(headsOf("d=16", "w=24")), {{{"b", 2}, {"s", 35}, {"t", 35}}}, nullptr, 1, 1e-5,
          alignment);
}

TEST_P(GpuWarpAttention, Causal) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 2, 33, 65, 130, 200})
    all.push_back({{"b", 1}, {"s", s}, {"t", s}});
  check(causal(heads), all);
  AttentionCase after = causalAfter("known", heads);
  after.dims.emplace_back("known");
  check(after, {{{"b", 2}, {"s", 1}, {"t", 71}, {"known", 70}},
                {{"b", 1}, {"s", 5}, {"t", 12}, {"known", 7}}});
}

TEST_P(GpuWarpAttention, GroupedQueries) {
  AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=16"},
                        .q = {"b", "s", "h", "g", "d"},
                        .k = {"b", "t", "h", "d"},
                        .v = {"b", "t", "h", "d"}};
  std::vector<Sizes> all{{{"b", 2}, {"s", 7}, {"t", 7}}, {{"b", 1}, {"s", 43}, {"t", 43}}};
  check(grouped, all);
  check(causal(grouped), all);
}

// Keys that lie as [d][t], parts of caches that could hold 40, and results among others.
TEST_P(GpuWarpAttention, StridedLayouts) {
  AttentionCase attention = causal(headsOf("d=16", "w=16"));
  attention.layouts = {{"q", R"(#kernel.layout<b: "s * 96", s: "96", h: "1", d: "5">)"},
                       {"k", R"(#kernel.layout<b: "40 * 32", t: "1", h: "40 * 16", d: "40">)"},
                       {"v", R"(#kernel.layout<b: "40 * 32", t: "32", h: "16", w: "1">)"},
                       {"output", R"(#kernel.layout<b: "100 * s", s: "100", h: "17", w: "1">)"}};
  check(attention, {{{"b", 2}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
}

// Every third row keeps nothing: its output is 0, its logsumexp -inf, and so is its gradient 0.
TEST_P(GpuWarpAttention, RowsThatKeepNothing) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 35}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        [](const Index &at) {
          return at.at("s") % 3 == 0 || (at.at("s") * 7 + at.at("t") * 5) % 4 == 0;
        });
}

TEST_P(GpuWarpAttention, LargeScores) {
  check(causal(heads), {{{"b", 1}, {"s", 40}, {"t", 40}}}, nullptr, 100, /*error=*/1e-3);
}

// A logsumexp of 1e5 and more says nothing of the differences, which are the weights.
TEST_P(GpuWarpAttention, WeightsOfLargeScores) {
  AttentionRuns runs(narrow(causal(heads)), GetParam().gradient, GetParam().device);
  EmulatedKernel kernel = runs.compiled();
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  for (int64_t s : {1, 40, 70}) {
    SCOPED_TRACE(runs.drawnFrom() + ", s=" + std::to_string(s));
    runs.draw({{"b", 1}, {"s", s}, {"t", s}}, nullptr, 1e5);
    EXPECT_EQ(runs.problemOf(kernel, runs.seed(), 1e-4, GetParam().gradient ? 2 : 0), "");
  }
}

// Keys behind and before a window are skipped, in both directions.
TEST_P(GpuWarpAttention, Window) {
  check(windowed(heads), {{{"b", 1}, {"s", 200}, {"t", 200}}, {{"b", 1}, {"s", 19}, {"t", 21}}});
}

TEST_P(GpuWarpAttention, EverySchedule) {
  for (std::array<int, 4> numbers : {std::array{16, 16, 1, 2},
                                     {32, 32, 1, 3},
                                     {64, 16, 2, 4},
                                     {128, 32, 8, 2},
                                     {64, 128, 4, 3}}) {
    SCOPED_TRACE(testing::PrintToString(numbers));
    AttentionCase attention = causal(headsOf("d=16", "w=16"));
    auto [rows, columns, warps, stages] = numbers;
    attention.schedule =
        fmt::format("#cuda.mma_attention<rows = {}, keys = {}, warps = {}, stages = {}>", rows,
                    columns, warps, stages);
    attention.gradientSchedule =
        fmt::format("#cuda.mma_attention_grad<rows = {}, columns = {}, warps = {}, stages = {}>",
                    rows, columns, warps, stages);
    check(attention, {{{"b", 1}, {"s", 131}, {"t", 131}}});
  }
}

INSTANTIATE_TEST_SUITE_P(Device, GpuWarpAttention,
                         testing::Values(Built{"sm_80", false}, Built{"sm_90a", false},
                                         Built{"sm_80", true}, Built{"sm_90a", true}),
                         [](const auto &info) {
                           return std::string(info.param.device) +
                                  (info.param.gradient ? "_gradient" : "");
                         });

} // namespace
