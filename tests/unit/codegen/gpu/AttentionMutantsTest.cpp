// Faults planted in attention and in its gradient, which the emulator or the numbers have to show.
#include "tests/unit/codegen/gpu/AttentionRuns.h"
#include "tests/unit/codegen/gpu/Mutation.h"

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

/// Differences of these: of what a loop has summed up and what is read, say.
template <typename From, typename Taken>
std::vector<llvm::Instruction *> differences(llvm::Module &module) {
  std::vector<llvm::Instruction *> found;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::FSub))
    if (llvm::isa<From>(each->getOperand(0)) && llvm::isa<Taken>(each->getOperand(1)))
      found.push_back(each);
  EXPECT_FALSE(found.empty());
  return found;
}

/// Where the weight of a score that counts is taken, else 0; without a mask it counts if both
/// exist.
std::vector<llvm::Instruction *> weightsThatCount(llvm::Module &module) {
  std::vector<llvm::Instruction *> found;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::Select))
    if (auto *both = llvm::dyn_cast<llvm::BinaryOperator>(each->getOperand(0));
        both && both->getOpcode() == llvm::Instruction::And && each->getType()->isFloatTy())
      found.push_back(each);
  EXPECT_FALSE(found.empty());
  return found;
}

// Barriers in their order: 0..5 of blocks of queries, 6..10 of blocks of keys; 1, 2, 8 and 9 are
// around what is computed again where scores are large, and 3 stands behind 2 at once.
const Mutant ofGradients[] = {
    {"constants of queries may not be there", [](llvm::Module &module) { eraseBarrier(module, 0); },
     "nothing puts them in order"},
    {"keys are staged before the last ones have been read",
     [](llvm::Module &module) { eraseBarrier(module, 3); }, "nothing puts them in order"},
    {"scores are of keys that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 4); }, "nothing puts them in order"},
    {"gradients of queries are of scores that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 5); }, "nothing puts them in order"},
    {"queries are staged before the last ones have been read",
     [](llvm::Module &module) { eraseBarrier(module, 6); }, "nothing puts them in order"},
    {"scores are of queries that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 7); }, "nothing puts them in order"},
    {"gradients of keys are of scores that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 10); }, "nothing puts them in order"},
    {"a query's threads add up what another's have",
     [](llvm::Module &module) { change(callOf(module, "shfl.sync"), 2, 8); }, "is wrong"},
    {"gradients of scores are those of weights, in one block of queries",
     [](llvm::Module &module) { skip(differences<llvm::PHINode, llvm::LoadInst>(module).front()); },
     "is wrong"},
    {"gradients of scores are those of weights, in one block of keys",
     [](llvm::Module &module) { skip(differences<llvm::PHINode, llvm::LoadInst>(module).back()); },
     "is wrong"},
};

const Mutant ofLargeScores[] = {
    {"a query's constants are written before all know that they are coarse",
     [](llvm::Module &module) { eraseBarrier(module, 1); }, "nothing puts them in order"},
    {"constants are written before all blocks of keys know that they are coarse",
     [](llvm::Module &module) { eraseBarrier(module, 8); }, "nothing puts them in order"},
    {"weights of keys are of constants that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 9); }, "nothing puts them in order"},
    {"weights are relative to the highest score alone",
     [](llvm::Module &module) {
       for (llvm::Instruction *each : differences<llvm::BinaryOperator, llvm::LoadInst>(module))
         if (llvm::cast<llvm::Instruction>(each->getOperand(0))->getOpcode() == each->getOpcode())
           skip(each);
     },
     "is wrong"},
};

const Mutant ofHugeScores[] = {
    {"a logsumexp is taken as it is",
     [](llvm::Module &module) {
       for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::FCmp))
         if (auto *limit = llvm::dyn_cast<llvm::ConstantFP>(each->getOperand(1));
             limit && limit->isExactlyValue(128.0f))
           each->setOperand(1, llvm::ConstantFP::getInfinity(limit->getType()));
     },
     "is wrong"},
};

const Mutant ofKeysThatAreNone[] = {
    {"a key that is none has a weight",
     [](llvm::Module &module) {
       for (llvm::Instruction *each : weightsThatCount(module))
         each->setOperand(0, llvm::cast<llvm::Instruction>(each->getOperand(0))->getOperand(0));
     },
     "is wrong"},
};

/// Of the loop over positions that add to one gradient: its index.
llvm::Instruction *indexOfPosition(llvm::Module &module) {
  return llvm::cast<llvm::Instruction>(named(module, "position")->getOperand(1));
}

// Barriers behind those of queries and keys: 11 at each position, 12 behind the constants of its
// queries, 13 and 14 where scores are large, 15 behind its keys.
const Mutant ofBiases[] = {
    {"a position is staged before the last one has been read",
     [](llvm::Module &module) { eraseBarrier(module, 11); }, "nothing puts them in order"},
    {"constants of a position's queries may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 12); }, "nothing puts them in order"},
    {"scores are of a position's keys that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 15); }, "nothing puts them in order"},
    {"the last position adds nothing",
     [](llvm::Module &module) {
       for (llvm::User *user : indexOfPosition(module)->users())
         if (auto *end = llvm::dyn_cast<llvm::ICmpInst>(user))
           end->setOperand(1, llvm::BinaryOperator::CreateSub(
                                  end->getOperand(1),
                                  llvm::ConstantInt::get(end->getOperand(1)->getType(), 1), "",
                                  end->getIterator()));
     },
     "is wrong"},
    {"the first position adds again and again",
     [](llvm::Module &module) { skip(named(module, "position")); }, "is wrong"},
    {"what a position adds is forgotten by the next",
     [](llvm::Module &module) {
       for (llvm::PHINode &sum : indexOfPosition(module)->getParent()->phis())
         if (sum.getType()->isFloatTy())
           for (llvm::User *user : llvm::make_early_inc_range(sum.users()))
             if (llvm::cast<llvm::Instruction>(user)->getOpcode() == llvm::Instruction::FAdd)
               user->replaceUsesOfWith(&sum, llvm::ConstantFP::get(sum.getType(), 0));
     },
     "is wrong"},
};

// Of a bias that all keys have: 15 before keys are staged, 16 behind it, 17 behind what each thread
// has of a row.
const Mutant ofBiasesOfRows[] = {
    {"keys are staged before the last ones have been read",
     [](llvm::Module &module) { eraseBarrier(module, 15); }, "nothing puts them in order"},
    {"a row's sums may not be there", [](llvm::Module &module) { eraseBarrier(module, 17); },
     "nothing puts them in order"},
};

struct Drawn {
  int64_t batch = 1, keys = 70;
  double factor = 1, error = 1e-5;
  std::optional<size_t> only = std::nullopt; ///< result
};

void expectFound(const AttentionCase &attention, bool gradient, const char *device,
                 llvm::ArrayRef<Mutant> mutants, const Drawn &drawn = {}) {
  AttentionRuns runs(attention, gradient, device);
  runs.draw({{"b", drawn.batch}, {"s", 65}, {"t", drawn.keys}}, nullptr, drawn.factor);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel kernel = runs.compiled(change);
    EXPECT_FALSE(kernel.problem()) << *kernel.problem();
    return firstSaid(
        [&](uint64_t order) { return runs.problemOf(kernel, order, drawn.error, drawn.only); });
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

TEST_P(GpuAttentionMutants, OfItsGradient) {
  expectFound(heads, /*gradient=*/true, GetParam(), ofGradients);
}

TEST_P(GpuAttentionMutants, OfItsGradientWhereScoresAreLarge) {
  expectFound(heads, /*gradient=*/true, GetParam(), ofLargeScores, {.factor = 100, .error = 1e-3});
}

// Of values: those of queries and keys are as large as what their rounding leaves.
TEST_P(GpuAttentionMutants, OfItsGradientWhereScoresAreHuge) {
  expectFound(heads, /*gradient=*/true, GetParam(), ofHugeScores,
              {.factor = 1e5, .error = 1e-4, .only = 2});
}

// Of one key, whose score is below -88 for some of the queries: exp(0 - score) is infinite.
TEST_P(GpuAttentionMutants, OfItsGradientWhereScoresAreBelow0) {
  expectFound(heads, /*gradient=*/true, GetParam(), ofKeysThatAreNone,
              {.keys = 1, .factor = 100, .error = 1e-3});
}

TEST_P(GpuAttentionMutants, OfTheGradientOfABias) {
  expectFound(biased(heads, {"h", "s", "t"}), /*gradient=*/true, GetParam(), ofBiases,
              {.batch = 2});
}

TEST_P(GpuAttentionMutants, OfTheGradientOfABiasOfRows) {
  expectFound(capped(biased(heads, {"h", "s"})), /*gradient=*/true, GetParam(), ofBiasesOfRows,
              {.batch = 2});
}

INSTANTIATE_TEST_SUITE_P(Device, GpuAttentionMutants, testing::Values("sm_80", "sm_90a"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
