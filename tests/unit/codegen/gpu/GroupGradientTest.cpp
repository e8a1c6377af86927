// The gradient of attention by products of four warps, on the emulator against the interpreter:
// sizes around every tile, masks, grouped queries, layouts, large scores, schedules, and where it
// gives way.
#include "tests/unit/codegen/gpu/Assembled.h"
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include <array>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

/// As WarpAttentionTest says of weights that are two numbers of bf16.
constexpr double rounded = 8 / double(1 << 18);

bool byGroups(const EmulatedKernel &kernel) {
  return kernel.ptx().find("wgmma.mma_async") != std::string::npos;
}

struct Given {
  std::function<double(const Index &)> mask = nullptr;
  double factor = 1, error = rounded;
  int64_t stages = 2, columns = 64;
  std::optional<size_t> only = std::nullopt;
};

/// Compiles once and runs for each of `all`, in three orders.
void check(const AttentionCase &attention, const std::vector<Sizes> &all, const Given &given = {}) {
  AttentionRuns runs(narrowOutput(narrow(attention)), /*gradient=*/true, "sm_90a");
  ASSERT_TRUE(runs.multiplyByGroups(given.stages, given.columns));
  EmulatedKernel kernel = runs.compiled(nullptr, /*alignment=*/16);
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  EXPECT_TRUE(byGroups(kernel));
  for (const Sizes &sizes : all) {
    std::string text = runs.drawnFrom() + ", ";
    for (const auto &[dim, size] : sizes)
      text += dim + "=" + std::to_string(size) + " ";
    SCOPED_TRACE(text);
    runs.draw(sizes, given.mask, given.factor);
    for (uint64_t order : {uint64_t(0), uint64_t(1), runs.seed()})
      EXPECT_EQ(runs.problemOf(kernel, order, given.error, given.only), "") << "order " << order;
  }
}

const AttentionCase heads = headsOf("d=16", "w=8");

TEST(GpuGroupGradient, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {0, 1, 63, 65, 127, 129})
    all.push_back({{"b", 1}, {"s", s}, {"t", 5}});
  for (int64_t t : {0, 1, 63, 64, 65, 129})
    all.push_back({{"b", 2}, {"s", 3}, {"t", t}});
  all.push_back({{"b", 0}, {"s", 3}, {"t", 3}});
  check(heads, all);
}

TEST(GpuGroupGradient, DepthsAndValues) {
  for (auto [depth, values] : {std::pair("d=8", "w=128"), {"d=64", "w=64"}, {"d=128", "w=96"}}) {
    SCOPED_TRACE(std::string(depth) + " " + values);
    check(headsOf(depth, values), {{{"b", 1}, {"s", 34}, {"t", 135}}});
  }
}

TEST(GpuGroupGradient, Masks) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 65, 200})
    all.push_back({{"b", 1}, {"s", s}, {"t", s}});
  check(causal(heads), all);
  check(windowed(heads), all);
  AttentionCase after = causalAfter("known", heads);
  after.dims.emplace_back("known");
  check(after, {{{"b", 2}, {"s", 1}, {"t", 71}, {"known", 70}},
                {{"b", 1}, {"s", 5}, {"t", 12}, {"known", 7}}});
}

/// A tile has queries of one of those that share keys, for they do not lie as one dimension; a
/// block of keys goes through all of them.
TEST(GpuGroupGradient, GroupedQueries) {
  AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=16"},
                        .q = {"b", "s", "h", "g", "d"},
                        .k = {"b", "t", "h", "d"},
                        .v = {"b", "t", "h", "d"}};
  std::vector<Sizes> all{{{"b", 2}, {"s", 7}, {"t", 7}}, {{"b", 1}, {"s", 131}, {"t", 131}}};
  check(grouped, all);
  check(causal(grouped), all);
}

// Every third row keeps nothing, and has no gradient.
TEST(GpuGroupGradient, RowsThatKeepNothing) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 35}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        {.mask = [](const Index &at) {
          return at.at("s") % 3 == 0 || (at.at("s") * 7 + at.at("t") * 5) % 4 == 0;
        }});
}

TEST(GpuGroupGradient, LargeScores) {
  check(causal(heads), {{{"b", 1}, {"s", 140}, {"t", 140}}}, {.factor = 100, .error = 1e-3});
}

// A logsumexp of 1e5 and more says nothing of the differences, which are the weights.
TEST(GpuGroupGradient, WeightsOfLargeScores) {
  for (int64_t s : {1, 40, 135})
    check(causal(heads), {{{"b", 1}, {"s", s}, {"t", s}}},
          {.factor = 1e5, .error = 1e-4, .only = 2});
}

TEST(GpuGroupGradient, EverySchedule) {
  for (int64_t stages : {3, 4, 5})
    check(causal(headsOf("d=64", "w=16")), {{{"b", 1}, {"s", 131}, {"t", 263}}},
          {.stages = stages});
  for (int64_t stages : {2, 3})
    check(causal(headsOf("d=64", "w=16")), {{{"b", 1}, {"s", 131}, {"t", 263}}},
          {.stages = stages, .columns = 128});
  check(causal(heads), {{{"b", 1}, {"s", 135}, {"t", 135}}},
        {.factor = 1e5, .error = 1e-4, .columns = 128, .only = 2});
  check(narrowWeights(causal(heads)), {{{"b", 1}, {"s", 263}, {"t", 263}}}, {.columns = 128});
}

// Products read weights as bf16: results are within what that allows.
TEST(GpuGroupGradient, NarrowWeights) {
  for (const AttentionCase &attention : {heads, headsOf("d=64", "w=128")})
    check(narrowWeights(causal(attention)),
          {{{"b", 1}, {"s", 131}, {"t", 131}}, {{"b", 2}, {"s", 1}, {"t", 3}}});
}

TEST(GpuGroupGradientPtxas, Assembles) {
  const struct {
    const char *depth, *values;
    int64_t stages, columns = 64;
  } all[] = {
      {"d=128", "w=128", 3}, {"d=64", "w=64", 4}, {"d=64", "w=64", 3, 128}, {"d=64", "w=128", 2}};
  for (bool narrows : {true, false})
    for (const auto &each : all)
      for (bool masks : {false, true}) {
        if (each.columns > 64 && !narrows)
          continue; // no registers are left for two numbers of each weight
        AttentionCase attention = narrowOutput(narrow(headsOf(each.depth, each.values)));
        attention.narrowWeights = narrows;
        AttentionRuns runs(masks ? causal(attention) : attention, /*gradient=*/true, "sm_90a");
        ASSERT_TRUE(runs.multiplyByGroups(each.stages, each.columns));
        EmulatedKernel kernel = runs.compiled(nullptr, /*alignment=*/16);
        ASSERT_FALSE(kernel.problem()) << *kernel.problem();
        Assembled result = assemble(kernel.ptx(), "sm_90a");
        if (result.skipped)
          GTEST_SKIP() << "ptxas is absent: it is not on PATH";
        EXPECT_EQ(result.problem, "")
            << each.depth << ", " << each.values << ", " << each.stages << " stages, "
            << (narrows ? "weights as one" : "weights as two") << ", " << masks << "\n"
            << result.says;
      }
}

/// Where buffers may begin anywhere, what the model chose gives way, and what is written is
/// refused.
TEST(GpuGroupGradient, WantsTensors) {
  AttentionRuns chosen(narrowOutput(narrow(headsOf("d=64", "w=64"))), /*gradient=*/true, "sm_90a");
  EXPECT_TRUE(byGroups(chosen.compiled(nullptr, 16)));
  EmulatedKernel other = chosen.compiled(nullptr, 2);
  ASSERT_FALSE(other.problem()) << *other.problem();
  EXPECT_FALSE(byGroups(other));
  AttentionRuns odd(narrowOutput(narrow(headsOf("d=5", "w=64"))), /*gradient=*/true, "sm_90a");
  EXPECT_FALSE(odd.multiplyByGroups());
  AttentionRuns wide(narrow(headsOf("d=64", "w=64")), /*gradient=*/true, "sm_90a");
  EXPECT_FALSE(wide.multiplyByGroups());
}

} // namespace
