// Attention and its gradient of a GPU on the emulator, against the interpreter: sizes around every
// tile, masks, grouped queries, layouts, large scores; in several orders of threads, with races
// looked for.
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include <array>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

struct Built {
  const char *device;
  bool gradient;
};

struct GpuAttention : testing::TestWithParam<Built> {
  /// Compiles once and runs for each of `all`, in three orders.
  void check(const AttentionCase &attention, const std::vector<Sizes> &all,
             const std::function<double(const Index &)> &mask = nullptr, double factor = 1,
             double error = 1e-5) {
    AttentionRuns runs(attention, GetParam().gradient, GetParam().device);
    EmulatedKernel kernel = runs.compiled();
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    for (const Sizes &sizes : all) {
      std::string text = runs.drawnFrom() + ", ";
      for (const auto &[dim, size] : sizes)
        text += dim + "=" + std::to_string(size) + " ";
      SCOPED_TRACE(text);
      runs.draw(sizes, mask, factor);
      for (uint64_t order : {uint64_t(0), uint64_t(1), runs.seed()})
        EXPECT_EQ(runs.problemOf(kernel, order, error), "") << "order " << order;
    }
  }
};

const AttentionCase heads = headsOf("d=16", "w=8");

TEST_P(GpuAttention, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {0, 1, 3, 31, 33, 63, 64, 65})
    all.push_back({{"b", 1}, {"s", s}, {"t", 5}});
  for (int64_t t : {0, 1, 15, 17, 31, 32, 33, 63, 64, 65})
    all.push_back({{"b", 2}, {"s", 3}, {"t", t}});
  all.push_back({{"b", 0}, {"s", 3}, {"t", 3}});
  all.push_back({{"b", 1}, {"s", 0}, {"t", 0}});
  check(heads, all);
}

TEST_P(GpuAttention, DepthsAndValues) {
  for (auto [depth, values] : {std::pair("d=1", "w=1"),
                               {"d=5", "w=33"},
                               {"d=33", "w=3"},
                               {"d=64", "w=64"},
                               {"d=128", "w=128"},
                               {"d=65", "w=127"}}) {
    SCOPED_TRACE(std::string(depth) + " " + values);
    check(headsOf(depth, values),
          {{{"b", 1}, {"s", 9}, {"t", 35}}, {{"b", 1}, {"s", 34}, {"t", 17}}});
  }
}

TEST_P(GpuAttention, Causal) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 2, 33, 65, 130})
    all.push_back({{"b", 1}, {"s", s}, {"t", s}});
  check(causal(heads), all);
  AttentionCase after = causalAfter("known", heads);
  after.dims.emplace_back("known");
  check(after, {{{"b", 2}, {"s", 1}, {"t", 71}, {"known", 70}},
                {{"b", 1}, {"s", 5}, {"t", 12}, {"known", 7}}});
}

TEST_P(GpuAttention, GroupedQueries) {
  AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=16"},
                        .q = {"b", "s", "h", "g", "d"},
                        .k = {"b", "t", "h", "d"},
                        .v = {"b", "t", "h", "d"}};
  std::vector<Sizes> all{{{"b", 2}, {"s", 7}, {"t", 7}}, {{"b", 1}, {"s", 23}, {"t", 23}}};
  check(grouped, all);
  check(causal(grouped), all);
}

// What some sides lack is summed over in their gradients.
TEST_P(GpuAttention, UnevenDimensions) {
  check({.dims = {"s", "t", "d=6", "w=4", "x", "y", "z=2"},
         .q = {"x", "s", "d"},
         .k = {"y", "t", "d"},
         .v = {"x", "t", "z", "w"}},
        {{{"s", 5}, {"t", 9}, {"x", 2}, {"y", 3}}});
  check({.dims = {"s", "t", "d=3", "e=4"},
         .q = {"d", "s", "e"},
         .k = {"e", "t", "d"},
         .v = {"t"},
         .depth = {"d", "e"}},
        {{{"s", 5}, {"t", 9}}, {{"s", 70}, {"t", 33}}});
}

// Keys that lie as [d][t], parts of caches that could hold 40, and results among others.
TEST_P(GpuAttention, StridedLayouts) {
  AttentionCase attention = causal(headsOf("d=16", "w=16"));
  attention.layouts = {{"q", R"(#kernel.layout<b: "s * 96", s: "96", h: "1", d: "5">)"},
                       {"k", R"(#kernel.layout<b: "40 * 32", t: "1", h: "40 * 16", d: "40">)"},
                       {"v", R"(#kernel.layout<b: "40 * 32", t: "32", h: "16", w: "1">)"},
                       {"output", R"(#kernel.layout<b: "100 * s", s: "100", h: "17", w: "1">)"},
                       {"dq", R"(#kernel.layout<b: "s * 96", s: "96", h: "1", d: "5">)"},
                       {"dk", R"(#kernel.layout<b: "40 * 32", t: "1", h: "40 * 16", d: "40">)"}};
  check(attention, {{{"b", 2}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
}

// Every third row keeps nothing: its output is 0, its logsumexp -inf, and so is its gradient 0.
TEST_P(GpuAttention, RowsThatKeepNothing) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 35}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        [](const Index &at) {
          return at.at("s") % 3 == 0 || (at.at("s") * 7 + at.at("t") * 5) % 4 == 0;
        });
}

// Exponentials of such scores are no f32. What is below a score's last bit is lost.
TEST_P(GpuAttention, LargeScores) {
  check(causal(heads), {{{"b", 1}, {"s", 40}, {"t", 40}}}, nullptr, 100, /*error=*/1e-3);
}

// A logsumexp of 1e5 and more says nothing of the differences, which are the weights. Gradients of
// values show these; those of queries and keys are as large as what their rounding leaves.
TEST_P(GpuAttention, WeightsOfLargeScores) {
  AttentionRuns runs(causal(heads), GetParam().gradient, GetParam().device);
  EmulatedKernel kernel = runs.compiled();
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  for (int64_t s : {1, 40, 70}) {
    SCOPED_TRACE(runs.drawnFrom() + ", s=" + std::to_string(s));
    runs.draw({{"b", 1}, {"s", s}, {"t", s}}, nullptr, 1e5);
    // Scores are as large as 4e5, of which a last bit is 0.03: where two are near, which is seldom,
    // weights are off by that.
    double error = GetParam().gradient ? 1e-4 : 4e-2;
    EXPECT_EQ(runs.problemOf(kernel, runs.seed(), error, GetParam().gradient ? 2 : 0), "");
  }
}

// Sums are of f32 all the same; a result is off by the last bit of a bfloat16. The gradient is
// given an output that has been rounded, too.
TEST_P(GpuAttention, StoredNarrower) {
  AttentionCase attention = causal(heads);
  std::string queries = R"(b: "s * 32", s: "32", h: "16", d: "1", storage = bf16)",
              keys = R"(b: "t * 32", t: "32", h: "16", d: "1", storage = bf16)",
              values = R"(b: "t * 16", t: "16", h: "8", w: "1", storage = bf16)",
              output = R"(b: "s * 16", s: "16", h: "8", w: "1", storage = bf16)";
  for (auto [names, layout] : {std::pair(std::array{"q", "dq", ""}, queries),
                               {std::array{"k", "dk", ""}, keys},
                               {std::array{"v", "dv", ""}, values},
                               {std::array{"o", "output", "g"}, output}})
    for (const char *name : names)
      attention.layouts[name] = "#kernel.layout<" + layout + ">";
  check(attention, {{{"b", 1}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 5}, {"t", 5}}}, nullptr, 1,
        GetParam().gradient ? 1e-3 : 4e-3);
}

// Keys behind and before a window are skipped, in both directions.
TEST_P(GpuAttention, Window) {
  check(windowed(heads), {{{"b", 1}, {"s", 200}, {"t", 200}}, {{"b", 1}, {"s", 19}, {"t", 21}}});
}

INSTANTIATE_TEST_SUITE_P(Device, GpuAttention,
                         testing::Values(Built{"sm_80", false}, Built{"sm_90a", false},
                                         Built{"sm_80", true}, Built{"sm_90a", true}),
                         [](const auto &info) {
                           return std::string(info.param.device) +
                                  (info.param.gradient ? "_gradient" : "");
                         });

} // namespace
