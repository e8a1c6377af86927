// Contractions by products of four warps, of all layouts and sizes, in every order of warps and
// with copies that land early and late.
#include "tests/unit/codegen/gpu/ContractionCase.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

EmulatedKernel kernelOf(const gpu::GroupTiles &tiles, const gpu::EmulateOptions &options = {}) {
  EXPECT_EQ(tiles.problem(), "");
  return EmulatedKernel(built([&](llvm::Module &module) { buildGroup(module, tiles); }), "sm_90a",
                        options);
}

struct Variant {
  const char *name;
  gpu::GroupTiles tiles;
};
const Variant variants[] = {
    {"oneConsumer", {.columns = 64, .consumers = 1, .stages = 2}},
    {"twoConsumers", {.columns = 128, .consumers = 2, .stages = 3}},
    {"threeConsumers", {.columns = 64, .consumers = 3, .stages = 2}},
    {"twoBelowEachOther", {.columns = 64, .consumers = 1, .down = 2, .stages = 2}},
    {"leftTransposed", {.leftAlongDepth = false, .columns = 64, .consumers = 2, .stages = 2}},
    {"rightTransposed", {.rightAlongDepth = false, .columns = 128, .consumers = 1, .stages = 2}},
    {"bothTransposed",
     {.leftAlongDepth = false,
      .rightAlongDepth = false,
      .columns = 64,
      .consumers = 1,
      .stages = 2}},
    {"f16", {.element = gpu::Element::float16, .columns = 64, .consumers = 1, .stages = 2}},
    {"tf32", {.element = gpu::Element::tf32, .columns = 64, .consumers = 1, .stages = 2}},
    {"narrow", {.columns = 24, .consumers = 1, .stages = 2}},
    {"cluster", {.columns = 64, .consumers = 1, .stages = 2, .cluster = 2}},
    {"clusterTransposed",
     {.rightAlongDepth = false, .columns = 128, .consumers = 1, .stages = 2, .cluster = 2}},
};

TEST(GpuGroupContraction, LayoutsAndSizes) {
  for (const Variant &variant : variants) {
    EmulatedKernel kernel = kernelOf(variant.tiles);
    ASSERT_EQ(kernel.refusal, "");
    for (auto [rows, columns, depth] :
         {std::tuple(192, 128, 192), std::tuple(200, 136, 72), std::tuple(8, 8, 8)}) {
      ContractionCase given(variant.tiles.element, rows, columns, depth,
                            variant.tiles.leftAlongDepth, variant.tiles.rightAlongDepth);
      given.rounded = true; // products of four warps look at the first bits only
      given.draw(1);
      for (uint64_t seed : seeds(1))
        EXPECT_EQ(runGroup(kernel, variant.tiles, given, {.seed = seed, .races = true},
                           2 * variant.tiles.cluster),
                  "")
            << variant.name << " " << rows << "x" << columns << "x" << depth << ", seed " << seed;
    }
  }
}

/// What two blocks share is read of global memory once, and written to both.
TEST(GpuGroupContraction, SharedTilesAreReadOnce) {
  for (unsigned cluster : {1u, 2u}) {
    gpu::GroupTiles tiles = {.columns = 64, .consumers = 1, .stages = 2, .cluster = cluster};
    EmulatedKernel kernel = kernelOf(tiles);
    ContractionCase given(tiles.element, 128, 64, 128);
    given.draw(1);
    EXPECT_EQ(runGroup(kernel, tiles, given, {}, 2), "");
    uint64_t left = 128 * 128 * 2, right = 64 * 128 * 2;
    EXPECT_EQ(kernel.counts.copiedBytes, left + right * 2 / cluster) << cluster;
    EXPECT_EQ(kernel.counts.sharedCopyBytes, left + right * 2) << cluster;
  }
}

TEST(GpuGroupContractionPtxas, Assembles) {
  for (const Variant &variant : variants) {
    std::string ptx =
        ptxFor(built([&](llvm::Module &module) { buildGroup(module, variant.tiles); }), "sm_90a");
    Assembled result = assemble(ptx, "sm_90a");
    if (result.skipped)
      GTEST_SKIP() << "ptxas is absent: it is not on PATH";
    EXPECT_EQ(result.problem, "") << variant.name;
  }
}

} // namespace
