// Attention over named dimensions by products of four warps, on the emulator against the
// interpreter: sizes around every tile, masks, grouped queries, layouts, large scores, and where it
// gives way.
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include <array>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

bool byGroups(const EmulatedKernel &kernel) {
  return kernel.ptx().find("wgmma.mma_async") != std::string::npos;
}

/// Compiles once and runs for each of `all`, in three orders.
void check(const AttentionCase &attention, const std::vector<Sizes> &all,
           const std::function<double(const Index &)> &mask = nullptr, double factor = 1,
           double error = 1e-5, bool whole = false) {
  AttentionRuns runs(narrow(attention), /*gradient=*/false, "sm_90a");
  ASSERT_TRUE(runs.multiplyByGroups());
  EmulatedKernel kernel = runs.compiled(nullptr, /*alignment=*/16);
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  EXPECT_TRUE(byGroups(kernel));
  for (const Sizes &sizes : all) {
    std::string text = runs.drawnFrom() + ", ";
    for (const auto &[dim, size] : sizes)
      text += dim + "=" + std::to_string(size) + " ";
    SCOPED_TRACE(text);
    runs.draw(sizes, mask, factor, whole);
    for (uint64_t order : {uint64_t(0), uint64_t(1), runs.seed()})
      EXPECT_EQ(runs.problemOf(kernel, order, error), "") << "order " << order;
  }
}

const AttentionCase heads = headsOf("d=16", "w=8");

TEST(GpuGroupAttentionKernels, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {0, 1, 63, 65, 127, 129})
    all.push_back({{"b", 1}, {"s", s}, {"t", 5}});
  for (int64_t t : {0, 1, 63, 64, 65, 129})
    all.push_back({{"b", 2}, {"s", 3}, {"t", t}});
  all.push_back({{"b", 0}, {"s", 3}, {"t", 3}});
  check(heads, all);
}

TEST(GpuGroupAttentionKernels, DepthsAndValues) {
  for (auto [depth, values] : {std::pair("d=8", "w=128"), {"d=64", "w=64"}, {"d=128", "w=96"}}) {
    SCOPED_TRACE(std::string(depth) + " " + values);
    check(headsOf(depth, values), {{{"b", 1}, {"s", 34}, {"t", 135}}});
  }
}

TEST(GpuGroupAttentionKernels, Masks) {
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

/// Blocks have pairs of tiles, the first and the last of a head, and some have two; the tile
/// between them is alone.
TEST(GpuGroupAttentionKernels, MoreTilesThanBlocks) {
  check(causal(heads), {{{"b", 34}, {"s", 300}, {"t", 300}}});
}

/// A tile has queries of one of those that share keys, for they do not lie as one dimension.
TEST(GpuGroupAttentionKernels, GroupedQueries) {
  AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=16"},
                        .q = {"b", "s", "h", "g", "d"},
                        .k = {"b", "t", "h", "d"},
                        .v = {"b", "t", "h", "d"}};
  std::vector<Sizes> all{{{"b", 2}, {"s", 7}, {"t", 7}}, {{"b", 1}, {"s", 131}, {"t", 131}}};
  check(grouped, all);
  check(causal(grouped), all);
}

// Every third row keeps nothing: its output is 0, its logsumexp -inf.
TEST(GpuGroupAttentionKernels, RowsThatKeepNothing) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 35}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        [](const Index &at) {
          return at.at("s") % 3 == 0 || (at.at("s") * 7 + at.at("t") * 5) % 4 == 0;
        });
}

TEST(GpuGroupAttentionKernels, LargeScores) {
  check(causal(heads), {{{"b", 1}, {"s", 140}, {"t", 140}}}, nullptr, 100, /*error=*/1e-3);
}

// Beyond 2^31 a shift is rounded by as much as an exponent may be. Products of whole numbers are
// exact: two that are nearly the same would be another row.
TEST(GpuGroupAttentionKernels, HugeScores) {
  for (double factor : {0x1p26, 0x1p29, 0x1p30, 0x1p34, 0x1p40, 0x1p53})
    check(causal(heads), {{{"b", 1}, {"s", 140}, {"t", 140}}}, nullptr, factor, /*error=*/1e-3,
          /*whole=*/true);
}

/// Where buffers may begin anywhere, what the model chose gives way, and what is written is
/// refused.
TEST(GpuGroupAttentionKernels, WantsTensors) {
  AttentionRuns chosen(narrow(headsOf("d=64", "w=64")), /*gradient=*/false, "sm_90a");
  EXPECT_TRUE(byGroups(chosen.compiled(nullptr, 16)));
  EmulatedKernel other = chosen.compiled(nullptr, 2);
  ASSERT_FALSE(other.problem()) << *other.problem();
  EXPECT_FALSE(byGroups(other));
  AttentionRuns odd(narrow(headsOf("d=5", "w=64")), /*gradient=*/false, "sm_90a");
  EXPECT_FALSE(odd.multiplyByGroups());
}

} // namespace
