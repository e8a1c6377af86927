// Products of bf16 by wgmma, as the compiler builds them, on the emulator against the interpreter.
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

const cuda::Device &device = cuda::devices().back();

std::string scheduled(int rows, int columns, int consumers, int stages, int cluster,
                      int splits = 1) {
  return fmt::format("sm_90a = #cuda.wgmma<rows = {}, columns = {}, consumers = {}, stages = {}, "
                     "cluster = {}, splits = {}>",
                     rows, columns, consumers, stages, cluster, splits);
}
/// One of each kind: few and many columns, products one below the other, shared sides, depths that
/// are cut.
const std::string kinds[] = {scheduled(64, 64, 1, 2, 1),    scheduled(128, 128, 2, 3, 2),
                             scheduled(128, 64, 1, 2, 1),   scheduled(192, 64, 3, 2, 1),
                             scheduled(64, 64, 1, 2, 1, 3), scheduled(128, 128, 2, 2, 2, 2)};

void check(const std::string &text, const Sizes &sizes) {
  expectRight(text, sizes, /*alignment=*/16, device, "wgmma.mma_async");
}

TEST(GpuGroupProducts, SizesAroundTiles) {
  for (const std::string &kind : kinds) {
    for (bool left : {false, true})
      for (auto [m, n, k] :
           {std::tuple(8, 8, 8), std::tuple(136, 72, 200), std::tuple(64, 136, 64)})
        check(plainProduct({{"m", m}, {"n", n}, {"k", k}}, left, false, left, kind),
              {{"m", m}, {"n", n}, {"k", k}});
    for (int64_t m : {1, 63, 65, 129}) // known only when it runs
      check(plainProduct({{"n", 40}, {"k", 72}}, false, false, true, kind),
            {{"m", m}, {"n", 40}, {"k", 72}});
  }
}

TEST(GpuGroupProducts, RightSideAlongTheDepth) {
  std::vector<std::string> all(std::begin(kinds), std::end(kinds));
  all.push_back(scheduled(64, 32, 1, 2, 1));
  for (const std::string &kind : all)
    for (auto [m, n, k] : {std::tuple(8, 8, 8), std::tuple(136, 71, 200), std::tuple(1, 130, 64)})
      check(plainProduct({{"k", k}}, false, true, false, kind), {{"m", m}, {"n", n}, {"k", k}});
}

TEST(GpuGroupProducts, BatchesSegmentsAndTerms) {
  for (const std::string &kind : kinds)
    for (int64_t m : {1, 65, 130})
      check(bothProducts(/*apart=*/false, kind), sizesOfBoth(m));
}

/// With rows of these lengths as far apart as these numbers say.
std::string apart(std::string text, const Sizes &pitches) {
  for (const auto &[dim, pitch] : pitches)
    for (size_t at; (at = text.find(fmt::format(": \"{}\"", dim))) != std::string::npos;)
      text.replace(at, dim.size() + 4, fmt::format(": \"{}\"", pitch));
  return text;
}

// Rows of odd lengths, each from a multiple of 16 bytes on: what lies between them is poison.
TEST(GpuGroupProducts, RowsThatAreApart) {
  for (const std::string &kind : kinds)
    for (bool left : {false, true})
      for (bool right : {false, true})
        for (auto [m, n, k] :
             {std::tuple(61, 45, 77), std::tuple(131, 9, 15), std::tuple(61, 45, 1),
              std::tuple(1, 45, 77), std::tuple(61, 1, 77)}) {
          Sizes sizes = {{"m", m}, {"n", n}, {"k", k}};
          Sizes pitches;
          for (auto [dim, length] : sizes)
            pitches[dim] = (length + 7) / 8 * 8;
          check(apart(plainProduct(sizes, left, right, /*narrow=*/left == right, kind), pitches),
                sizes);
        }
}

std::string refusal(const std::string &text, int64_t alignment = 16) {
  auto context = contextOfKernels();
  std::string said;
  mlir::ScopedDiagnosticHandler listening(context.get(),
                                          [&](mlir::Diagnostic &each) { said += each.str(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module)
    return said;
  return EmulatedKernel(*module, device, /*accesses=*/true, alignment).problem().value_or("");
}

void expectRefused(const std::string &text, const char *why, int64_t alignment = 16) {
  std::string said = refusal(text, alignment);
  EXPECT_NE(said.find(why), std::string::npos) << said;
}

TEST(GpuGroupProducts, WhatIsNoTensorIsRefused) {
  auto plain = [](int n, int k, const std::string &schedule) {
    return plainProduct({{"n", n}, {"k", k}}, false, false, false, schedule);
  };
  const std::string &kind = kinds[0];
  expectRefused(plain(8, 9, kind), "rows that are not whole pieces of 16 bytes");
  expectRefused(plain(12, 8, kind), "operand 1 has rows that are not whole pieces");
  expectRefused(bothProducts(/*apart=*/true, kind), "several dimensions that do not lie as one");
  expectRefused(plain(8, 8, kind), "does not begin at a multiple of 16 bytes in every launch", 8);
  expectRefused(plain(8, 8, scheduled(64, 32, 1, 2, 1)), "has 32 columns that a block copies");
  expectRefused(plain(8, 8, scheduled(64, 48, 1, 2, 1)), "`columns` is 48, no multiple of 32");
  expectRefused(plain(8, 8, scheduled(96, 64, 1, 2, 1)), "`rows` is 96: 64 for each of 1");
  expectRefused(plain(8, 8, scheduled(64, 64, 1, 1, 1)), "`stages` is 1");
  expectRefused(plain(8, 8, scheduled(64, 64, 1, 2, 4)), "`cluster` is 4");
  expectRefused(plain(8, 8, scheduled(64, 64, 1, 2, 1, 0)), "`splits` is 0: a depth is cut into");
  expectRefused(plain(8, 8, scheduled(64, 64, 1, 2, 1, 65)), "`splits` is 65");
  expectRefused(plain(8, 8, scheduled(256, 256, 2, 2, 1)), "a thread has 256 sums");
  expectRefused(plain(8, 8, scheduled(128, 256, 2, 5, 1)), "bytes, and at most 232448 are there");
}

const Mutant mutants[] = {
    {"sums are read that other lanes have not stored",
     [](llvm::Module &module) { erase(callOf(module, "bar.warp.sync", 1)); },
     "nothing puts them in order"},
    {"sums are stored where other lanes still read",
     [](llvm::Module &module) { erase(callOf(module, "bar.warp.sync", 0)); },
     "nothing puts them in order"},
    {"the batch is not looked at",
     [](llvm::Module &module) {
       for (llvm::CallInst *load : callsOf(module, "cp.async.bulk.tensor.g2s"))
         load->setArgOperand(5, llvm::ConstantInt::get(load->getArgOperand(5)->getType(), 0));
     },
     "are wrong"},
    {"a block has the tile of its neighbour, and one has none",
     [](llvm::Module &module) {
       llvm::CallInst *block = callOf(module, "read.ptx.sreg.ctaid.x");
       llvm::IRBuilder<> builder(block->getNextNode());
       llvm::Value *other = builder.CreateAdd(block, builder.getInt32(1));
       block->replaceUsesWithIf(other, [&](llvm::Use &use) { return use.getUser() != other; });
     },
     "are wrong"},
    {"a tile begins one piece too far",
     [](llvm::Module &module) {
       llvm::CallInst *load = callOf(module, "cp.async.bulk.tensor.g2s", 1);
       llvm::IRBuilder<> builder(load);
       load->setArgOperand(3, builder.CreateAdd(load->getArgOperand(3), builder.getInt32(8)));
     },
     "are wrong"},
};

/// Faults planted in what the compiler makes of a kernel.
TEST(GpuGroupProducts, FaultsAreFound) {
  auto context = contextOfKernels();
  Sizes sizes = sizesOfBoth(70);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      bothProducts(/*apart=*/false, scheduled(64, 64, 1, 2, 1)), context.get());
  ASSERT_TRUE(module);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel k(*module, device, /*accesses=*/true, /*alignment=*/16, change);
    EXPECT_FALSE(k.problem()) << *k.problem();
    std::vector<Tensor> inputs = drawn(k.op(), sizes);
    auto want = trial::interpret(k.op(), sizes, inputs);
    return firstSaid([&](uint64_t seed) -> std::string {
      auto got = k.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem)
        return *got.problem;
      for (size_t r = 0; r < want->size(); ++r)
        if (difference(beforeRounding(got.results[r], (*want)[r]), (*want)[r]) > 1e-5)
          return "results are wrong";
      return "";
    });
  };
  EXPECT_EQ(run(nullptr), "");
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

} // namespace
