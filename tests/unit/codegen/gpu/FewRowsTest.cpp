// Products of few rows, as the compiler builds them, on the emulator against the interpreter.
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

std::string scheduled(int rows, int columns, int threads, int threadColumns, int threadDepth) {
  std::string each = fmt::format("#cuda.few_rows<rows = {}, columns = {}, threads = {}, "
                                 "thread_columns = {}, thread_depth = {}>",
                                 rows, columns, threads, threadColumns, threadDepth);
  return fmt::format("sm_80 = {}, sm_90a = {}", each, each);
}
/// One row and more, one warp and more, a thread for all columns and many of them.
const std::string kinds[] = {scheduled(1, 16, 32, 8, 8), scheduled(4, 16, 64, 4, 8),
                             scheduled(2, 64, 64, 1, 4), scheduled(8, 8, 128, 8, 1)};

std::string wide(std::string text) {
  const std::string storage = ", storage = bf16";
  for (size_t at; (at = text.find(storage)) != std::string::npos;)
    text.erase(at, storage.size());
  return text;
}

void check(const std::string &text, const Sizes &sizes, int64_t alignment = 0) {
  for (const cuda::Device &device : cuda::devices())
    expectRight(text, sizes, alignment, device, "fma.rn.f32");
}

TEST(GpuFewRows, SizesAroundBlocks) {
  for (const std::string &kind : kinds)
    for (bool left : {false, true})
      for (bool right : {false, true}) {
        std::string text = plainProduct({}, left, right, left, kind);
        for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(5, 17, 65)})
          check(left ? text : wide(text), {{"m", m}, {"n", n}, {"k", k}});
      }
}

/// What is read at once follows from known sizes and from where buffers begin.
TEST(GpuFewRows, PiecesOfEverySize) {
  for (const std::string &kind : {kinds[0], kinds[1]})
    for (bool right : {false, true})
      for (int64_t by : {2, 4, 8})
        for (int64_t alignment : {2, 16}) {
          Sizes sizes = {{"m", 3}, {"n", 32 + by}, {"k", 128 + by}};
          std::string text =
              plainProduct({{"n", 32 + by}, {"k", 128 + by}}, false, right, true, kind);
          check(text, sizes, alignment);
          if (alignment > 2)
            check(wide(text), sizes, alignment);
        }
}

TEST(GpuFewRows, BatchesSegmentsAndTerms) {
  for (const std::string &kind : kinds)
    for (bool apart : {false, true})
      for (int64_t m : {1, 5})
        check(bothProducts(apart, kind), sizesOfBoth(m), /*alignment=*/16);
}

TEST(GpuFewRows, AKernelOfEitherKindByTheRowsOfARun) {
  std::string few =
      "few = <rows = 2, columns = 16, threads = 32, thread_columns = 8, thread_depth = 8>";
  std::string mma = "#cuda.mma<rows = 32, columns = 32, depth = 16, warps_down = 2, warps_across = "
                    "2, stages = 3, splits = 2>";
  std::string wgmma =
      "#cuda.wgmma<rows = 64, columns = 64, consumers = 1, stages = 2, cluster = 1, splits = 2>";
  std::string kind = fmt::format("sm_80 = #cuda.by_rows<rows = 5, {0}, many = {1}>, "
                                 "sm_90a = #cuda.by_rows<rows = 5, {0}, many = {2}>",
                                 few, mma, wgmma);
  auto context = contextOfKernels();
  std::string text = plainProduct({{"n", 40}, {"k", 136}}, false, false, false, kind);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  ASSERT_TRUE(module);
  for (int64_t m : {1, 5, 6, 33}) {
    Sizes sizes = {{"m", m}, {"n", 40}, {"k", 136}};
    check(text, sizes, 16);
    for (const cuda::Device &device : cuda::devices()) {
      EmulatedKernel k(*module, device, /*accesses=*/false, /*alignment=*/16);
      ASSERT_EQ(k.launches(), 3u);
      EXPECT_EQ(k.blocks(sizes, 0) > 0, m <= 5) << m;
      EXPECT_EQ(k.blocks(sizes, 1) > 0, m > 5) << m;
      EXPECT_EQ(k.blocks(sizes, 2) > 0, m > 5) << m;
    }
  }
}

std::string refusal(const std::string &schedule) {
  auto context = contextOfKernels();
  std::string said;
  mlir::ScopedDiagnosticHandler listening(context.get(),
                                          [&](mlir::Diagnostic &each) { said += each.str(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      plainProduct({}, false, false, false, schedule), context.get());
  if (!module)
    return said;
  return EmulatedKernel(*module, cuda::devices().front()).problem().value_or("");
}
void expectRefused(const std::string &schedule, const char *why) {
  std::string said = refusal(schedule);
  EXPECT_NE(said.find(why), std::string::npos) << said;
}

TEST(GpuFewRows, WhatNoBlockHasIsRefused) {
  expectRefused(scheduled(3, 16, 32, 8, 8), "`rows` is 3, no power of two");
  expectRefused(scheduled(1, 16, 16, 8, 8), "`threads` is 16: a block has whole warps");
  expectRefused(scheduled(1, 4, 32, 8, 8), "`columns` is 4: the 8 of a thread at least");
  expectRefused(scheduled(1, 64, 32, 8, 8), "and one for each of 32 at most");
  expectRefused(scheduled(16, 16, 32, 8, 8), "16 x 8 sums");
  expectRefused(scheduled(16, 128, 1024, 2, 2), "bytes in a block, and 49152 are the most");
  expectRefused("sm_80 = #cuda.by_rows<rows = 0, few = <rows = 1, columns = 16, threads = 32, "
                "thread_columns = 8, "
                "thread_depth = 8>, many = #cuda.mma<rows = 32, columns = 32, depth = 16, "
                "warps_down = 2, warps_across "
                "= 2, stages = 3>>",
                "`rows` is 0, below 1");
  expectRefused("sm_80 = #cuda.by_rows<rows = 4, few = <rows = 1, columns = 16, threads = 32, "
                "thread_columns = 8, "
                "thread_depth = 8>, many = #cuda.few_rows<rows = 1, columns = 16, threads = 32, "
                "thread_columns = 8, "
                "thread_depth = 8>>",
                "no schedule of a product of many rows");
}

const Mutant mutants[] = {
    {"sums are read that may not be there",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync")); },
     "nothing puts them in order"},
    {"a lane adds its own sums again in place of its neighbour's",
     [](llvm::Module &module) {
       llvm::CallInst *shuffle = callOf(module, "shfl.sync.bfly");
       shuffle->setArgOperand(2, llvm::ConstantInt::get(shuffle->getArgOperand(2)->getType(), 0));
     },
     "are wrong"},
    {"a thread begins a piece too far",
     [](llvm::Module &module) { shift(named(module, "first.depth"), 8); }, "are wrong"},
    {"what lies behind the columns is read whole",
     [](llvm::Module &module) {
       for (llvm::Instruction *inside : allNamed(module, "inside"))
         inside->replaceAllUsesWith(llvm::ConstantInt::getTrue(inside->getType()));
     },
     "is not within|bytes into|are wrong"},
    {"a warp's sums lie where those of the warp before do",
     [](llvm::Module &module) {
       llvm::Instruction *slice = named(module, "slice");
       slice->replaceAllUsesWith(llvm::ConstantInt::get(slice->getType(), 0));
     },
     "nothing puts them in order|are wrong"},
    {"a block has the rows of the one before",
     [](llvm::Module &module) {
       llvm::Instruction *row = named(module, "first.row");
       row->replaceAllUsesWith(llvm::ConstantInt::get(row->getType(), 0));
     },
     "nothing puts them in order|are wrong"},
};

TEST(GpuFewRows, FaultsAreFound) {
  auto context = contextOfKernels();
  Sizes sizes = {{"m", 3}, {"n", 44}, {"k", 300}};
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      plainProduct({{"n", 44}, {"k", 300}}, false, false, false, scheduled(2, 16, 64, 4, 8)),
      context.get());
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
