// Faults planted in attention by matrix instructions and in its gradient, which the emulator or the
// numbers have to show.
#include "tests/unit/codegen/gpu/AttentionRuns.h"
#include "tests/unit/codegen/gpu/Mutation.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

const std::string plain = "ldmatrix.sync.aligned.m8n8.x4.b16",
                  turned = "ldmatrix.sync.aligned.m8n8.x4.trans.b16", rounding = "cvt.rn.bf16x2";

void eraseBarrier(llvm::Module &module, size_t which) {
  erase(callOf(module, "barrier.cta.sync", which));
}

void eraseWait(llvm::Module &module, size_t which) {
  erase(callOf(module, "cp.async.wait.group", which));
}

/// What is left of some numbers when they are rounded counts as nothing. Numbers are rounded in
/// pairs, four of which with their rests come one after the other.
void forgetRests(llvm::Module &module) {
  std::vector<llvm::CallInst *> all = callsOf(module, rounding);
  ASSERT_GE(all.size(), 8u);
  for (size_t i = 1; i < all.size(); i += 2)
    all[i]->replaceAllUsesWith(llvm::Constant::getNullValue(all[i]->getType()));
}

/// A lane that gets from another gets its own instead. The first shuffle says which warp this is.
void keepOwn(llvm::Module &module, size_t which) {
  llvm::CallInst *shuffle = callOf(module, "shfl.sync", which);
  shuffle->replaceAllUsesWith(shuffle->getArgOperand(1));
}

bool isHidden(const llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant && constant->isInfinity() && constant->isNegative();
}

/// Products of what is carried and e^x: what was summed up before, for a new highest score.
std::vector<llvm::Instruction *> rescalings(llvm::Module &module) {
  std::vector<llvm::Instruction *> found;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::FMul))
    if (llvm::isa<llvm::PHINode>(each->getOperand(0)) &&
        llvm::isa<llvm::CallInst>(each->getOperand(1)))
      found.push_back(each);
  return found;
}

/// Compares positions of queries and keys: where they are the same, says the opposite.
void shiftMask(llvm::Module &module) {
  bool found = false;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::ICmp)) {
    auto *compare = llvm::cast<llvm::ICmpInst>(each);
    if (!compare->getOperand(0)->getType()->isIntegerTy(32))
      continue;
    if (compare->getPredicate() == llvm::CmpInst::ICMP_SGE ||
        compare->getPredicate() == llvm::CmpInst::ICMP_SLE) {
      compare->setPredicate(compare->getStrictPredicate());
      found = true;
    }
  }
  EXPECT_TRUE(found);
}

const Mutant ofAttention[] = {
    {"a tile is read that others still bring, or brought where others read",
     [](llvm::Module &module) { eraseBarrier(module, 0); }, "nothing puts them in order"},
    {"nothing waits for copies", [](llvm::Module &module) { eraseWait(module, 0); },
     "still writes"},
    {"keys are transposed",
     [](llvm::Module &module) { becomes(callOf(module, plain, 1), turned + ".p3"); }, "is wrong"},
    {"values are not transposed",
     [](llvm::Module &module) { becomes(callOf(module, turned), plain + ".p3"); }, "is wrong"},
    {"weights are rounded, and the rest forgotten", forgetRests, "is wrong"},
    {"there is a key after the last",
     [](llvm::Module &module) {
       size_t found = 0;
       for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::Select))
         if (auto *bound = llvm::dyn_cast<llvm::ICmpInst>(each->getOperand(0));
             bound && isHidden(each->getOperand(2)) &&
             bound->getPredicate() == llvm::CmpInst::ICMP_SLT && ++found)
           bound->setPredicate(llvm::CmpInst::ICMP_SLE);
       EXPECT_GT(found, 0u);
     },
     "is wrong"},
    {"sums stay relative to an earlier highest score",
     [](llvm::Module &module) {
       std::vector<llvm::Instruction *> all = rescalings(module);
       ASSERT_GT(all.size(), 2u);
       for (size_t i = 2; i < all.size(); ++i) // after those of the sums of weights
         skip(all[i]);
     },
     "is wrong"},
    {"sums of weights stay relative to an earlier highest score",
     [](llvm::Module &module) {
       ASSERT_GT(rescalings(module).size(), 2u);
       skip(rescalings(module)[0]);
     },
     "is wrong"},
    {"half of the lanes of a row have another highest score",
     [](llvm::Module &module) { keepOwn(module, 1); }, "is wrong"},
    {"a row's sum of weights is that of half of its lanes",
     [](llvm::Module &module) { keepOwn(module, 5); }, "is wrong"},
};

// What lies beyond the depth is multiplied, and beyond the last key or value it is not.
const Mutant ofDepths[] = {
    {"copies beyond the end are whole",
     [](llvm::Module &module) {
       for (llvm::CallInst *copy : callsOf(module, "cp.async.cg.shared.global"))
         copy->setArgOperand(2, llvm::ConstantInt::get(copy->getArgOperand(2)->getType(), 16));
     },
     "is wrong|is not within|bytes into"},
};

const Mutant ofMasks[] = {
    {"a query does not see its own position", shiftMask, "is wrong"},
};

/// Differences of what is summed up and what is read, as gradients of weights are.
std::vector<llvm::Instruction *> slopes(llvm::Module &module) {
  std::vector<llvm::Instruction *> found;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::FSub))
    if (llvm::isa<llvm::ExtractValueInst>(each->getOperand(0)) &&
        llvm::isa<llvm::LoadInst>(each->getOperand(1)))
      found.push_back(each);
  EXPECT_FALSE(found.empty());
  return found;
}

// Barriers in their order: 0..3 of blocks of queries, 4..7 of blocks of keys; 1, 2, 6 and 7 are
// around what is computed again where scores are large. Waits: of each the one in the loop and one
// behind it.
const Mutant ofGradients[] = {
    {"constants of queries may not be there", [](llvm::Module &module) { eraseBarrier(module, 0); },
     "nothing puts them in order"},
    {"keys are brought where the last ones are read",
     [](llvm::Module &module) { eraseBarrier(module, 3); },
     "nothing puts them in order|still writes"},
    {"queries are brought where the last ones are read",
     [](llvm::Module &module) { eraseBarrier(module, 4); },
     "nothing puts them in order|still writes"},
    {"constants of a tile of queries may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 5); }, "nothing puts them in order"},
    {"nothing waits for copies of keys", [](llvm::Module &module) { eraseWait(module, 0); },
     "still writes"},
    {"nothing waits for copies of queries", [](llvm::Module &module) { eraseWait(module, 2); },
     "still writes"},
    {"keys are not transposed",
     [](llvm::Module &module) { becomes(callOf(module, turned), plain + ".p3"); }, "is wrong"},
    {"weights and their gradients are rounded, and the rest forgotten", forgetRests, "is wrong"},
    {"gradients of scores are those of weights, in one block of queries",
     [](llvm::Module &module) { skip(slopes(module).front()); }, "is wrong"},
    {"gradients of scores are those of weights, in one block of keys",
     [](llvm::Module &module) { skip(slopes(module).back()); }, "is wrong"},
    {"a query's product is of half of its threads",
     [](llvm::Module &module) { keepOwn(module, 1); }, "is wrong"},
};

struct Drawn {
  double factor = 1, error = 8 / double(1 << 18); ///< as WarpAttentionTest says
  std::optional<size_t> only = std::nullopt;      ///< result
  int64_t positions = 197;
};

const Mutant ofLargeScores[] = {
    {"weights are of scores that their constants are not relative to",
     [](llvm::Module &module) {
       for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::FCmp))
         if (auto *limit = llvm::dyn_cast<llvm::ConstantFP>(each->getOperand(1));
             limit && limit->isExactlyValue(128.0f))
           each->setOperand(1, llvm::ConstantFP::getInfinity(limit->getType()));
     },
     "is wrong"},
};

void expectFound(const AttentionCase &attention, bool gradient, const char *device,
                 llvm::ArrayRef<Mutant> mutants, const Drawn &drawn = {}) {
  AttentionRuns runs(narrow(attention), gradient, device);
  runs.draw({{"b", 1}, {"s", drawn.positions}, {"t", drawn.positions}}, nullptr, drawn.factor);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel kernel = runs.compiled(change, /*alignment=*/16);
    EXPECT_FALSE(kernel.problem()) << *kernel.problem();
    return firstSaid(
        [&](uint64_t order) { return runs.problemOf(kernel, order, drawn.error, drawn.only); });
  };
  EXPECT_EQ(run(nullptr), "") << "without a fault, " << runs.drawnFrom();
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

const AttentionCase heads = headsOf("d=16", "w=8");

struct GpuWarpAttentionMutants : testing::TestWithParam<const char *> {};

TEST_P(GpuWarpAttentionMutants, OfAttention) {
  expectFound(heads, /*gradient=*/false, GetParam(), ofAttention);
}

TEST_P(GpuWarpAttentionMutants, OfDepths) {
  for (bool gradient : {false, true})
    expectFound(headsOf("d=24", "w=8"), gradient, GetParam(), ofDepths, {.positions = 70});
}

TEST_P(GpuWarpAttentionMutants, OfMasks) {
  for (bool gradient : {false, true})
    expectFound(causal(heads), gradient, GetParam(), ofMasks);
}

TEST_P(GpuWarpAttentionMutants, OfItsGradient) {
  expectFound(heads, /*gradient=*/true, GetParam(), ofGradients);
}

// Of values: those of queries and keys are as large as what their rounding leaves.
TEST_P(GpuWarpAttentionMutants, OfItsGradientWhereScoresAreHuge) {
  expectFound(heads, /*gradient=*/true, GetParam(), ofLargeScores,
              {.factor = 1e5, .error = 1e-4, .only = 2, .positions = 70});
}

INSTANTIATE_TEST_SUITE_P(Device, GpuWarpAttentionMutants, testing::Values("sm_80", "sm_90a"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
