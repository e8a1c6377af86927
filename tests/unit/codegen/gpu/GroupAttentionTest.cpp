// Attention by products of four warps, of all masks and sizes, in every order of warps and with
// copies that land early and late.
#include "runtime/emulator/prediction/Prediction.h"
#include "tests/unit/codegen/gpu/GroupAttentionCase.h"

#include <gtest/gtest.h>

#include <iostream>

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

/// What a launch at `tiles` tiles of queries, each with all blocks of keys up to its own, does by
/// what two smaller ones do: a part for each tile, and one for each block.
emulator::Counts extrapolated(const emulator::Counts &two, const emulator::Counts &four,
                              uint64_t tiles) {
  constexpr unsigned fields = sizeof(emulator::Counts) / sizeof(uint64_t);
  emulator::Counts all;
  auto *to = reinterpret_cast<uint64_t *>(&all);
  auto *small = reinterpret_cast<const uint64_t *>(&two),
       *large = reinterpret_cast<const uint64_t *>(&four);
  for (unsigned i = 0; i < fields; ++i) {
    // 2 tiles have 3 blocks, 4 have 10.
    double block = (double(large[i]) - 2 * double(small[i])) / 4;
    double tile = (double(small[i]) - 3 * block) / 2;
    to[i] = uint64_t(double(tiles) * tile + double(tiles * (tiles + 1) / 2) * block);
  }
  return all;
}

/// 64 heads of 4096 queries and keys, of which a query sees those up to its own. Predicted of an
/// H100: nothing is measured (docs/predictions.md).
TEST(GpuGroupAttention, IsPredictedBeyondHalfThePeak) {
  for (auto [parts, least] : {std::pair(2u, 0.60), std::pair(1u, 0.85)}) {
    gpu::GroupAttentionTiles tiles;
    tiles.weightParts = parts;
    EmulatedKernel kernel = kernelOf(tiles, Sees::causal);
    emulator::Counts counts[2];
    for (int i : {0, 1}) {
      int size = 256 << i;
      GroupAttentionCase given(size, size, Sees::causal);
      given.blocks = size; // a tile each, as counts of more are known from
      given.draw(1, parts);
      ASSERT_EQ(runGroupAttention(kernel, tiles, given, {.profile = true}), "");
      counts[i] = kernel.counts;
    }
    constexpr double size = 4096, heads = 64, depth = 128;
    emulator::Counts all = extrapolated(counts[0], counts[1], uint64_t(size) / tiles.queries());
    emulator::Footprint footprint{tiles.threads(), tiles.sharedBytes(), /*registers=*/168};
    const emulator::Device &device = emulator::h100();
    emulator::Prediction time = predict(scaled(all, heads), footprint, device,
                                        uint64_t(heads * size * depth * (3 * 2 + 4)));
    double share = 4 * size * size * depth * heads / 2 / time.seconds /
                   peak(device, emulator::Arithmetic::tensor);
    std::cout << "weights in " << parts << ": " << time.seconds * 1e6 << " us, " << share
              << " of the peak, bound by " << time.bound << "; us of issue " << time.issue * 1e6
              << ", floats " << time.floats * 1e6 << ", tensor " << time.tensor * 1e6
              << ", special " << time.special * 1e6 << ", shared " << time.shared * 1e6
              << ", cache " << time.cache * 1e6 << ", memory " << time.memory * 1e6 << "\n";
    EXPECT_GE(share, least);
    EXPECT_LE(share, 1);
  }
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
