// Products whose depth is cut into parts, of all families, on the emulator against the interpreter.
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

/// A family: its schedule but for the parts, what its code has in it, and whether it multiplies
/// bf16.
struct Family {
  const char *image, *schedule, *instruction;
  bool narrow;
};
const Family families[] = {
    {"sm_80",
     "contraction<rows = 32, columns = 32, depth = 8, thread_rows = 2, thread_columns = 4, unroll "
     "= 2",
     "fma.rn.f32", false},
    {"sm_80",
     "mma<rows = 32, columns = 32, depth = 16, warps_down = 2, warps_across = 2, stages = 3",
     "mma.sync", true},
    {"sm_90a", "wgmma<rows = 64, columns = 64, consumers = 1, stages = 2, cluster = 1",
     "wgmma.mma_async", true},
};

std::string scheduled(const Family &family, int splits) {
  return fmt::format("{} = #cuda.{}, splits = {}>", family.image, family.schedule, splits);
}
const cuda::Device &deviceOf(const Family &family) {
  return *llvm::find_if(cuda::devices(),
                        [&](const cuda::Device &each) { return each.name == family.image; });
}
/// Of what is stored as float32.
std::string wide(std::string text) {
  const std::string storage = ", storage = bf16";
  for (size_t at; (at = text.find(storage)) != std::string::npos;)
    text.erase(at, storage.size());
  return text;
}
void check(const Family &family, const std::string &text, const Sizes &sizes) {
  expectRight(family.narrow ? text : wide(text), sizes, family.narrow ? 16 : 0, deviceOf(family),
              family.instruction);
}

TEST(GpuSplitProducts, AsManyPartsAsStepsOrFewer) {
  for (const Family &family : families)
    for (int splits : {3, 5})
      for (int64_t k : {8, 64, 72, 200, 328}) // of wgmma 1, 1, 2, 4, 6 steps
        check(family,
              plainProduct({{"n", 72}, {"k", k}}, false, false, true, scheduled(family, splits)),
              {{"m", 37}, {"n", 72}, {"k", k}});
}

TEST(GpuSplitProducts, SidesThatLieAcross) {
  for (const Family &family : families)
    for (bool left : {false, true})
      for (bool right : {false, true})
        for (auto [m, n, k] :
             {std::tuple(8, 8, 264), std::tuple(72, 136, 136), std::tuple(64, 8, 8)})
          check(
              family,
              plainProduct({{"m", m}, {"n", n}, {"k", k}}, left, right, left, scheduled(family, 4)),
              {{"m", m}, {"n", n}, {"k", k}});
}

TEST(GpuSplitProducts, DepthsThatARunHas) {
  for (const Family &family : families)
    for (int64_t k : {1, 15, 129})
      if (std::string(family.image) == "sm_80") // a tensor has rows of whole pieces
        check(family, plainProduct({}, false, false, false, scheduled(family, 3)),
              {{"m", 33}, {"n", 31}, {"k", k}});
}

TEST(GpuSplitProducts, BatchesSegmentsAndTerms) {
  for (const Family &family : families)
    for (int64_t m : {1, 65})
      check(family, bothProducts(/*apart=*/false, scheduled(family, 2)), sizesOfBoth(m));
}

/// Whatever the order of blocks and warps, and whatever runs beside it, a sum has the same bits.
TEST(GpuSplitProducts, BitsAreTheSameInEveryOrder) {
  for (const Family &family : families) {
    auto context = contextOfKernels();
    Sizes sizes = {{"m", 40}, {"n", 72}, {"k", 520}};
    std::string text =
        plainProduct({{"n", 72}, {"k", 520}}, false, false, false, scheduled(family, 4));
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(family.narrow ? text : wide(text), context.get());
    ASSERT_TRUE(module);
    EmulatedKernel k(*module, deviceOf(family), /*accesses=*/true, /*alignment=*/16);
    ASSERT_FALSE(k.problem()) << *k.problem();
    ASSERT_EQ(k.launches(), 2u);
    std::vector<Tensor> inputs;
    for (const Tensor &each : drawn(k.op(), sizes)) {
      inputs.push_back(each);
      for (double &number : inputs.back().data) // of which no sum is exact
        number = number * 1.37 + 0.011;
    }
    std::vector<double> first;
    for (uint64_t seed : {0, 1, 2, 3, 4}) {
      auto got = k.run(sizes, inputs, {.seed = seed});
      ASSERT_FALSE(got.problem) << *got.problem;
      if (seed == 0)
        first = got.results[0].data;
      EXPECT_EQ(got.results[0].data, first) << family.instruction << ", seed " << seed;
    }
  }
}

const Mutant mutants[] = {
    {"all parts leave their sums at one place",
     [](llvm::Module &module) {
       llvm::Instruction *own = named(module, "own.part");
       own->replaceAllUsesWith(llvm::ConstantInt::get(own->getType(), 0));
     },
     "nothing puts them in order|are wrong"},
    {"the first part is added in place of the others",
     [](llvm::Module &module) {
       llvm::Instruction *next = named(module, "next.part");
       next->replaceAllUsesWith(llvm::ConstantInt::get(next->getType(), 0));
     },
     "are wrong"},
    {"parts are added that nobody has left",
     [](llvm::Module &module) {
       llvm::Instruction *next = named(module, "next.part");
       llvm::IRBuilder<> builder(next->getNextNode());
       llvm::Value *further = builder.CreateMul(next, builder.getInt64(2));
       next->replaceUsesWithIf(further, [&](llvm::Use &use) { return use.getUser() != further; });
     },
     "is not within|bytes into"},
    {"a part begins a step too late",
     [](llvm::Module &module) { shift(named(module, "first.step"), 1); }, "are wrong|deadlock in"},
    {"a part ends a step too early",
     [](llvm::Module &module) {
       for (llvm::Instruction *end : allNamed(module, "end.step")) // of who copies, who multiplies
         shift(end, -1);
     },
     "are wrong"},
    {"the last part has no blocks",
     [](llvm::Module &module) {
       for (llvm::CallInst *block : callsOf(module, "read.ptx.sreg.ctaid.x")) {
         if (block->getFunction()->getName().ends_with("_adding"))
           continue;
         llvm::IRBuilder<> builder(block->getNextNode());
         llvm::Value *other = builder.CreateAnd(block, builder.getInt32(~1u));
         block->replaceUsesWithIf(other, [&](llvm::Use &use) { return use.getUser() != other; });
       }
     },
     "nothing puts them in order|are wrong|has not been written"},
};

/// Faults planted in what the compiler makes of a kernel: in both launches.
TEST(GpuSplitProducts, FaultsAreFound) {
  for (const Family &family : families) {
    auto context = contextOfKernels();
    Sizes sizes = {{"m", 37}, {"n", 40}, {"k", 200}};
    std::string text =
        plainProduct({{"n", 40}, {"k", 200}}, false, false, false, scheduled(family, 2));
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(family.narrow ? text : wide(text), context.get());
    ASSERT_TRUE(module);
    auto run = [&](const EmulatedKernel::Change &change) {
      EmulatedKernel k(*module, deviceOf(family), /*accesses=*/true, /*alignment=*/16, change);
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
    EXPECT_EQ(run(nullptr), "") << family.instruction;
    for (const Mutant &mutant : mutants)
      mutant.expectIn(run(mutant.plant));
  }
}

} // namespace
