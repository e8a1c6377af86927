// Products of bf16 by mma.sync, as the compiler builds them, on the emulator against the
// interpreter: every layout, sizes around those of tiles, buffers as badly aligned as may be.
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"
#include "llvm/IR/IRBuilder.h"

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

/// Sides that are float32, and read as tf32: by matrix instructions, and by others.
TEST(GpuProducts, OfTf32) {
  const std::string usual =
      "#cuda.contraction<rows = 32, columns = 32, depth = 8, thread_rows = 2, "
      "thread_columns = 2, unroll = 2>";
  for (bool left : {false, true})
    for (bool right : {false, true}) {
      std::string text = plainProduct({}, left, right, false, schedules, /*tf32=*/true);
      for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(31, 33, 15), std::tuple(33, 70, 17)})
        check(text, {{"m", m}, {"n", n}, {"k", k}}, 4);
      for (int64_t alignment : {4, 8, 16}) {
        Sizes sizes = {{"m", 40}, {"n", 68}, {"k", 36}};
        check(plainProduct(sizes, left, right, false, schedules, true), sizes, alignment);
      }
      Sizes sizes = {{"m", 33}, {"n", 31}, {"k", 17}};
      expectRight(plainProduct({}, left, right, false, "sm_80 = " + usual, true), sizes, 4,
                  cuda::devices().front(), "cvt.rna.tf32");
    }
}

const Mutant inTf32[] = {
    {"factors are cut off, not rounded",
     [](llvm::Module &module) {
       for (llvm::CallInst *round : callsOf(module, "f2tf32")) {
         llvm::IRBuilder<> builder(round);
         round->replaceAllUsesWith(
             builder.CreateBitCast(round->getArgOperand(0), builder.getInt32Ty()));
       }
     },
     "are wrong"},
    {"a stage is multiplied that others still bring",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"nothing waits for copies",
     [](llvm::Module &module) { erase(callOf(module, "cp.async.wait.group")); }, "still writes"},
};

/// Faults planted in what the compiler makes of a kernel.
void expectFoundIn(const std::string &text, llvm::ArrayRef<Mutant> mutants) {
  auto context = contextOfKernels();
  Sizes sizes = {{"m", 37}, {"n", 40}, {"k", 72}};
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
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

TEST(GpuProducts, FaultsAreFound) {
  const Sizes known = {{"n", 40}, {"k", 72}};
  expectFoundIn(plain(known, false, false, false), mutants);
  expectFoundIn(plainProduct(known, false, false, false, schedules, /*tf32=*/true), inTf32);
}

} // namespace
