// Attention by products of four warps, of all masks and sizes, in every order of warps and with
// copies that land early and late.
#include "runtime/emulator/prediction/Prediction.h"
#include "tests/unit/codegen/gpu/GroupAttentionCase.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

EmulatedKernel kernelOf(const gpu::GroupAttentionTiles &tiles, Sees sees,
                        const gpu::EmulateOptions &options = {}) {
  EXPECT_EQ(tiles.problem(), "");
  return EmulatedKernel(
      built([&](llvm::Module &module) { buildGroupAttention(module, tiles, sees); }), "sm_90a",
      options);
}

constexpr Sees masks[] = {Sees::all, Sees::causal, Sees::window, Sees::length};

const gpu::GroupAttentionTiles variants[] = {
    {},
    {.weightParts = 1},
    {.depth = 64, .values = 64},
    {.depth = 64, .values = 128, .keys = 64, .stages = 3},
    {.depth = 128, .values = 64},
};

void expectRight(const gpu::GroupAttentionTiles &tiles, EmulatedKernel &kernel,
                 GroupAttentionCase given, int fresh = 1) {
  given.depth = tiles.depth;
  given.values = tiles.values;
  given.draw(1, tiles.weightParts);
  for (uint64_t seed : seeds(fresh))
    EXPECT_EQ(runGroupAttention(kernel, tiles, given, {.seed = seed, .races = true}), "")
        << given.queries << "x" << given.keys << " of " << given.heads << " heads, mask "
        << int(given.sees) << ", depth " << tiles.depth << ", values " << tiles.values << ", "
        << tiles.keys << " keys, weights in " << tiles.weightParts << ", seed " << seed;
}

TEST(GpuGroupAttention, MasksAndSizes) {
  for (Sees sees : masks) {
    EmulatedKernel kernel = kernelOf({}, sees);
    ASSERT_EQ(kernel.refusal, "");
    for (auto [queries, keys] : {std::pair(1, 1), std::pair(127, 129), std::pair(129, 127),
                                 std::pair(131, 391), std::pair(257, 63)})
      expectRight({}, kernel, {queries, keys, sees});
  }
}

TEST(GpuGroupAttention, Variants) {
  for (const gpu::GroupAttentionTiles &tiles : variants)
    for (Sees sees : {Sees::all, Sees::window}) {
      EmulatedKernel kernel = kernelOf(tiles, sees);
      ASSERT_EQ(kernel.refusal, "");
      expectRight(tiles, kernel, {130, 300, sees});
    }
}

TEST(GpuGroupAttention, HeadsThatShareKeys) {
  for (Sees sees : {Sees::causal, Sees::length}) {
    EmulatedKernel kernel = kernelOf({}, sees);
    ASSERT_EQ(kernel.refusal, "");
    expectRight({}, kernel, {65, 140, sees, 6, 3});
  }
}

/// Five orders of warps.
TEST(GpuGroupAttention, Orders) {
  EmulatedKernel kernel = kernelOf({}, Sees::causal);
  ASSERT_EQ(kernel.refusal, "");
  expectRight({}, kernel, {260, 640, Sees::causal}, 3);
}

/// Blocks of keys that no query of a tile sees are neither copied nor multiplied.
TEST(GpuGroupAttention, SkipsWhatIsHidden) {
  gpu::GroupAttentionTiles tiles;
  GroupAttentionCase given = {512, 512, Sees::causal};
  given.draw(1, tiles.weightParts);
  EmulatedKernel kernel = kernelOf(tiles, Sees::causal);
  ASSERT_EQ(runGroupAttention(kernel, tiles, given, {}), "");
  uint64_t blocks = 1 + 2 + 3 + 4, product = 2 * 128 * 128 * 128;
  EXPECT_EQ(kernel.counts.tensorFlops, blocks * product * (1 + tiles.weightParts));
  EXPECT_EQ(kernel.counts.copiedBytes,
            4 * tiles.queryBytes() + blocks * (tiles.keyBytes() + tiles.valueBytes()));
}

TEST(GpuGroupAttention, Refuses) {
  EXPECT_NE((gpu::GroupAttentionTiles{.depth = 96}.problem()), "");
  EXPECT_NE((gpu::GroupAttentionTiles{.keys = 96}.problem()), "");
  EXPECT_NE((gpu::GroupAttentionTiles{.stages = 1}.problem()), "");
  EXPECT_NE((gpu::GroupAttentionTiles{.stages = 4}.problem()), "");
  EXPECT_NE((gpu::GroupAttentionTiles{.weightParts = 3}.problem()), "");
}

TEST(GpuGroupAttentionPtxas, Assembles) {
  for (const gpu::GroupAttentionTiles &tiles : variants)
    for (Sees sees : masks) {
      std::string ptx = ptxFor(
          built([&](llvm::Module &module) { buildGroupAttention(module, tiles, sees); }), "sm_90a");
      Assembled result = assemble(ptx, "sm_90a");
      if (result.skipped)
        GTEST_SKIP() << "ptxas is absent: it is not on PATH";
      EXPECT_EQ(result.problem, "") << tiles.depth << ", " << tiles.values << ", " << tiles.keys
                                    << ", mask " << int(sees) << "\n"
                                    << result.says;
    }
}

} // namespace
