// Products of bf16 by mma.sync, as the compiler builds them, on the emulator against the
// interpreter: every layout, sizes around those of tiles, buffers as badly aligned as may be.
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

const std::string small = "#cuda.mma<rows = 32, columns = 32, depth = 16, warps_down = 2, "
                          "warps_across = 2, stages = 3>";
const std::string schedules = "sm_80 = " + small + ", sm_90a = " + small;

void check(const std::string &text, const Sizes &sizes, int64_t alignment = 0) {
  for (const cuda::Device &device : cuda::devices())
    expectRight(text, sizes, alignment, device, "mma.sync");
}

std::string plain(const Sizes &known, bool leftTurned, bool rightTurned, bool narrow) {
  return plainProduct(known, leftTurned, rightTurned, narrow, schedules);
}

TEST(GpuProducts, SizesAroundTiles) {
  for (bool left : {false, true})
    for (bool right : {false, true}) {
      std::string text = plain({}, left, right, left);
      for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(31, 33, 15), std::tuple(33, 31, 17),
                             std::tuple(32, 64, 48), std::tuple(65, 7, 2), std::tuple(5, 70, 129)})
        check(text, {{"m", m}, {"n", n}, {"k", k}});
    }
}

/// What is copied at once follows from known sizes and from where buffers begin.
TEST(GpuProducts, PiecesOfEverySize) {
  for (bool left : {false, true})
    for (bool right : {false, true})
      for (int64_t by : {2, 4, 8})
        for (int64_t alignment : {2, 4, 8, 16}) {
          Sizes sizes = {{"m", 32 + by}, {"n", 64 - by}, {"k", 16 + by}};
          check(plain(sizes, left, right, true), sizes, alignment);
        }
}

TEST(GpuProducts, BatchesSegmentsAndTerms) {
  for (int64_t m : {1, 31, 33})
    for (int64_t alignment : {2, 16})
      check(bothProducts(/*apart=*/true, schedules), sizesOfBoth(m), alignment);
}

const Mutant mutants[] = {
    {"a stage is multiplied that others still bring",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"sums are stored where others still multiply",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 1)); },
     "nothing puts them in order"},
    {"sums are read that may not be there",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 2)); },
     "nothing puts them in order"},
    {"nothing waits for copies",
     [](llvm::Module &module) { erase(callOf(module, "cp.async.wait.group")); }, "still writes"},
    {"copies beyond the end are whole",
     [](llvm::Module &module) {
       for (llvm::CallInst *copy : callsOf(module, "cp.async.cg.shared.global"))
         copy->setArgOperand(2, llvm::ConstantInt::get(copy->getArgOperand(2)->getType(), 16));
     },
     "are wrong|is not within|bytes into"},
    {"the left side is transposed",
     [](llvm::Module &module) {
       becomes(callOf(module, "ldmatrix"), "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3");
     },
     "are wrong"},
};

/// Faults planted in what the compiler makes of a kernel.
TEST(GpuProducts, FaultsAreFound) {
  auto context = contextOfKernels();
  Sizes sizes = {{"m", 37}, {"n", 40}, {"k", 72}};
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      plain({{"n", 40}, {"k", 72}}, false, false, false), context.get());
  ASSERT_TRUE(module);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel k(*module, cuda::devices().front(), /*accesses=*/true, /*alignment=*/16, change);
    EXPECT_FALSE(k.problem()) << *k.problem();
    std::vector<Tensor> inputs = drawn(k.op(), sizes);
    auto want = trial::interpret(k.op(), sizes, inputs);
    return firstSaid([&](uint64_t seed) -> std::string {
      auto got = k.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem)
        return *got.problem;
      return difference(got.results[0], (*want)[0]) <= 1e-5 ? "" : "results are wrong";
    });
  };
  EXPECT_EQ(run(nullptr), "");
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

} // namespace
