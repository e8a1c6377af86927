// Faults planted in attention whose keys are cut into parts, which the emulator or the numbers have
// to show.
#include "tests/unit/codegen/gpu/AttentionRuns.h"
#include "tests/unit/codegen/gpu/Mutation.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

/// A lane that gets from another gets its own instead.
void keepOwn(llvm::Module &module, size_t which) {
  llvm::CallInst *shuffle = callOf(module, "shfl.sync", which);
  shuffle->replaceAllUsesWith(shuffle->getArgOperand(1));
}

/// e^x of a difference of highest scores is 1.
void isOne(llvm::Instruction *factor) {
  factor->replaceAllUsesWith(llvm::ConstantFP::get(factor->getType(), 1));
}

const Mutant faults[] = {
    {"a part begins one key late", [](llvm::Module &module) { shift(named(module, "first"), 1); },
     "is wrong"},
    {"a part ends one key early", [](llvm::Module &module) { shift(named(module, "end"), -1); },
     "is wrong"},
    {"a part ends in the next one", [](llvm::Module &module) { shift(named(module, "end"), 1); },
     "is wrong|no memory"},
    {"sums stay relative to an earlier highest score",
     [](llvm::Module &module) { isOne(named(module, "factor")); }, "is wrong"},
    {"a score is that of half of the lanes", [](llvm::Module &module) { keepOwn(module, 0); },
     "is wrong"},
    {"warps are joined before all are there",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"the last part is forgotten",
     [](llvm::Module &module) { shift(named(module, "parts", 1), -1); }, "is wrong|no memory"},
    {"parts are added as they are", [](llvm::Module &module) { isOne(named(module, "share", 0)); },
     "is wrong"},
    {"a part's sums are added as they are",
     [](llvm::Module &module) { isOne(named(module, "share", 1)); }, "is wrong"},
    {"lanes that have other keys keep theirs",
     [](llvm::Module &module) {
       // behind those of scores: of 4 lanes by two queries and two keys
       keepOwn(module, 2 * 2 * 2);
     },
     "is wrong"},
};

TEST(GpuSplitAttentionMutants, AreFound) {
  AttentionCase attention = causalAfter("known", headsOf("d=16", "w=16"));
  attention.dims.emplace_back("known");
  attention.schedule =
      "#cuda.split_attention<rows = 2, keys = 8, threads = 64, unroll = 2, blocks = 6>";
  AttentionRuns runs(attention, false, "sm_80");
  runs.draw({{"b", 1}, {"s", 2}, {"t", 61}, {"known", 59}}, nullptr, 4);
  EmulatedKernel right = runs.compiled();
  ASSERT_FALSE(right.problem()) << *right.problem();
  EXPECT_EQ(runs.problemOf(right, 0), "");
  for (const Mutant &mutant : faults) {
    SCOPED_TRACE(mutant.name);
    EmulatedKernel kernel = runs.compiled(mutant.plant);
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    mutant.expectIn(firstSaid([&](uint64_t seed) { return runs.problemOf(kernel, seed); }));
  }
}

} // namespace
