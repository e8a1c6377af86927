// Faults planted in attention and in its gradient, which the emulator or the numbers have to show.
#include "tests/unit/codegen/gpu/AttentionRuns.h"
#include "tests/unit/codegen/gpu/Mutation.h"

#include "llvm/IR/InstIterator.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

bool isHidden(const llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant && constant->isInfinity() && constant->isNegative();
}

/// Where the score of a key that is none is left out.
std::vector<llvm::ICmpInst *> boundsOfKeys(llvm::Module &module) {
  std::vector<llvm::ICmpInst *> bounds;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::Select))
    if (auto *bound = llvm::dyn_cast<llvm::ICmpInst>(each->getOperand(0));
        bound && isHidden(each->getOperand(2)) && bound->getPredicate() == llvm::CmpInst::ICMP_SLT)
      bounds.push_back(bound);
  return bounds;
}

void eraseBarrier(llvm::Module &module, size_t which) {
  erase(callOf(module, "barrier.cta.sync", which));
}

const Mutant ofAttention[] = {
    {"keys are staged before the values have been read",
     [](llvm::Module &module) { eraseBarrier(module, 0); }, "nothing puts them in order"},
    {"scores are of keys that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 1); }, "nothing puts them in order"},
    {"values are staged before the keys have been read",
     [](llvm::Module &module) { eraseBarrier(module, 2); }, "nothing puts them in order"},
    {"sums are of values that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 3); }, "nothing puts them in order"},
    {"there is a key after the last",
     [](llvm::Module &module) {
       ASSERT_FALSE(boundsOfKeys(module).empty());
       for (llvm::ICmpInst *bound : boundsOfKeys(module))
         bound->setPredicate(llvm::CmpInst::ICMP_SLE);
     },
     "is wrong"},
    // Sixteen threads have a row: those of its second half ask the row beside it.
    {"half of a row's threads have another highest score",
     [](llvm::Module &module) { change(callOf(module, "shfl.sync"), 2, 8); }, "is wrong"},
    {"rows have each other's sums of weights",
     [](llvm::Module &module) {
       std::vector<llvm::Instruction *> inverses = instructionsOf(module, llvm::Instruction::FDiv);
       ASSERT_GE(inverses.size(), 2u);
       // The second row's sum comes later in the code: the second takes that of the first.
       inverses[1]->setOperand(1, inverses[0]->getOperand(1));
     },
     "is wrong"},
};

void expectFound(const AttentionCase &attention, bool gradient, const char *device,
                 llvm::ArrayRef<Mutant> mutants, double factor = 1, double error = 1e-5) {
  AttentionRuns runs(attention, gradient, device);
  runs.draw({{"b", 1}, {"s", 65}, {"t", 70}}, nullptr, factor);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel kernel = runs.compiled(change);
    EXPECT_FALSE(kernel.problem()) << *kernel.problem();
    return firstSaid([&](uint64_t order) { return runs.problemOf(kernel, order, error); });
  };
  EXPECT_EQ(run(nullptr), "") << "without a fault, " << runs.drawnFrom();
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

const AttentionCase heads = headsOf("d=16", "w=8");

struct GpuAttentionMutants : testing::TestWithParam<const char *> {};

TEST_P(GpuAttentionMutants, OfAttention) {
  expectFound(heads, /*gradient=*/false, GetParam(), ofAttention);
}

INSTANTIATE_TEST_SUITE_P(Device, GpuAttentionMutants, testing::Values("sm_80", "sm_90a"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
