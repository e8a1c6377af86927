// Contractions by mma.sync, of all layouts and sizes, in every order of warps.
#include "tests/unit/codegen/gpu/ContractionCase.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

struct Variant {
  const char *name;
  gpu::MmaTiles tiles;
  unsigned pieceBytes = 16;
};

EmulatedKernel kernelOf(const Variant &variant, bool left, bool right) {
  return EmulatedKernel(built([&](llvm::Module &module) {
                          buildMma(module, variant.tiles, left, right, variant.pieceBytes);
                        }),
                        "sm_80");
}

const Variant variants[] = {
    {"bf16", {.rows = 64, .columns = 64, .depth = 32, .warpsDown = 2, .warpsAcross = 2}},
    {"bf16Deep",
     {.rows = 64, .columns = 128, .depth = 64, .warpsDown = 1, .warpsAcross = 4, .stages = 4}},
    {"f16",
     {.element = gpu::Element::float16,
      .rows = 64,
      .columns = 64,
      .depth = 32,
      .warpsDown = 2,
      .warpsAcross = 2}},
    {"tf32",
     {.element = gpu::Element::tf32,
      .rows = 64,
      .columns = 64,
      .depth = 32,
      .warpsDown = 2,
      .warpsAcross = 2}},
    {"bf16By8", {.rows = 64, .columns = 64, .depth = 32, .warpsDown = 2, .warpsAcross = 2}, 8},
    {"bf16By4",
     {.rows = 64, .columns = 64, .depth = 16, .warpsDown = 2, .warpsAcross = 2, .stages = 2},
     4},
    {"bf16By2", {.rows = 64, .columns = 64, .depth = 32, .warpsDown = 2, .warpsAcross = 2}, 2},
    {"bf16Few",
     {.rows = 16, .columns = 64, .depth = 32, .warpsDown = 1, .warpsAcross = 4, .stages = 4}},
    {"bf16FewBy2",
     {.rows = 16, .columns = 32, .depth = 16, .warpsDown = 1, .warpsAcross = 2, .stages = 2},
     2},
};

TEST(GpuContraction, LayoutsAndSizes) {
  for (const Variant &variant : variants)
    for (bool left : {true, false})
      for (bool right : {true, false}) {
        if (!variant.tiles.problem().empty())
          continue;
        EmulatedKernel kernel = kernelOf(variant, left, right);
        ASSERT_EQ(kernel.refusal, "");
        int piece = variant.pieceBytes / bytesOf(variant.tiles.element);
        for (auto [rows, columns, depth] :
             {std::tuple(64, 64, 64), std::tuple(72, 136, 40), std::tuple(8, 8, 8)}) {
          // What need not be a multiple of 8 is none.
          ContractionCase given(variant.tiles.element, rows + piece % 8, columns + piece % 8,
                                depth + piece % 8, left, right);
          given.draw(1);
          for (uint64_t seed : seeds(2))
            EXPECT_EQ(runMma(kernel, variant.tiles, given, {.seed = seed, .races = true}), "")
                << variant.name << " " << left << right << " " << rows << "x" << columns << "x"
                << depth << ", seed " << seed;
        }
      }
}

TEST(GpuContraction, NoAccessOfAWarpMeetsABankTwice) {
  for (const Variant &variant : variants) {
    EmulatedKernel kernel = kernelOf(variant, true, true);
    ContractionCase given(variant.tiles.element, 64, 128, 128);
    given.draw(1);
    EXPECT_EQ(runMma(kernel, variant.tiles, given, {.profile = true}), "");
    EXPECT_GT(kernel.counts.matrixLoads, 0u);
    EXPECT_EQ(kernel.counts.matrixConflicts, 0u) << variant.name;
    uint64_t flops = variant.tiles.element == gpu::Element::tf32 ? kernel.counts.tf32Flops
                                                                 : kernel.counts.tensorFlops;
    EXPECT_EQ(flops, 2ull * 64 * 128 * 128) << variant.name;
  }
}

/// The portable image runs on every architecture from sm_80 on.
TEST(GpuContractionPtxas, Assembles) {
  gpu::MmaTiles tiles;
  tiles.depth = 64;
  for (gpu::Element element : {gpu::Element::bfloat16, gpu::Element::float16, gpu::Element::tf32}) {
    tiles.element = element;
    tiles.depth = 64 / bytesOf(element) * 2;
    std::string ptx =
        ptxFor(built([&](llvm::Module &module) { buildMma(module, tiles, true, true); }), "sm_80");
    for (const char *architecture : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
      Assembled result = assemble(ptx, architecture);
      if (result.skipped)
        GTEST_SKIP() << "ptxas is absent: it is not on PATH";
      EXPECT_EQ(result.problem, "") << architecture;
    }
  }
}

} // namespace
