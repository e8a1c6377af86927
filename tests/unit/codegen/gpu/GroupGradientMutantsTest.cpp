// Faults planted in the gradient of attention by products of four warps: each is found, and by what
// is said here.
#include "codegen/gpu/instructions/Assembly.h"
#include "tests/unit/codegen/gpu/AttentionRuns.h"
#include "tests/unit/codegen/gpu/Mutation.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

const std::string tryWait = "mbarrier.try.wait", waits = "wgmma.wait_group.sync.aligned ",
                  arrives = "mbarrier.arrive.shared";
/// In the order of the code: who brings, then who multiplies, of each first for blocks of keys.
enum Wait : size_t {
  stageEmpty,
  watchersFull,
  stageEmptyOfQueries,
  own,
  stageFull,
  constants,
  ownOfQueries,
  constantsOfQueries,
  stageFullOfQueries,
  allWaits
};
/// Of those who multiply: for scores, gradients of weights, values, depth; then of queries.
enum Products : size_t { scores, slopes, values, depth, scoresOfQueries, slopesOfQueries, queries };

/// What a wait gives is what it was given.
void readBefore(CallInst *wait) {
  for (User *user : make_early_inc_range(wait->users())) {
    auto *part = cast<ExtractValueInst>(user);
    part->replaceAllUsesWith(wait->getArgOperand(part->getIndices()[0]));
  }
}

CallInst *waitOf(Module &module, Wait which) {
  EXPECT_EQ(callsOf(module, tryWait).size(), size_t(allWaits));
  return callOf(module, tryWait, which);
}

/// Differences of what is summed up and what is read, as gradients of weights are.
std::vector<Instruction *> slopesOf(Module &module) {
  std::vector<Instruction *> found;
  for (Instruction *each : instructionsOf(module, Instruction::FSub))
    if (isa<ExtractValueInst>(each->getOperand(0)) && !isa<ConstantFP>(each->getOperand(1)))
      found.push_back(each);
  EXPECT_FALSE(found.empty());
  return found;
}

const Mutant mutants[] = {
    {"what is owned is not waited for", [](Module &module) { holds(waitOf(module, own)); },
     "still writes|nothing has waited for it"},
    {"a stage of keys is not waited for",
     [](Module &module) { holds(waitOf(module, stageFullOfQueries)); },
     "still writes|nothing has waited for it"},
    {"a stage of queries is not waited for",
     [](Module &module) { holds(waitOf(module, stageFull)); },
     "still writes|nothing has waited for it"},
    {"what is known of queries is written before it was read",
     [](Module &module) { holds(waitOf(module, watchersFull)); },
     "nothing puts them in order|more arrivals|is wrong"},
    {"what is known of queries is not waited for",
     [](Module &module) { holds(waitOf(module, constants)); },
     "nothing puts them in order|is wrong"},
    {"what is known of own queries is not waited for",
     [](Module &module) { holds(waitOf(module, constantsOfQueries)); },
     "nothing puts them in order|is wrong"},
    {"the producer does not wait until queries are read",
     [](Module &module) { holds(waitOf(module, stageEmpty)); },
     "more arrivals|nothing has waited for it|still reads"},
    {"the producer does not wait until keys are read",
     [](Module &module) { holds(waitOf(module, stageEmptyOfQueries)); },
     "more arrivals|nothing has waited for it|still reads"},
    {"consumers wait for the other phase",
     [](Module &module) { change(waitOf(module, own), 1, 1); },
     "still writes|nothing has waited for it"},
    {"more bytes are expected than come",
     [](Module &module) { change(callOf(module, "mbarrier.arrive.expect.tx", 1), 1, 16); },
     "and 16 bytes"},
    {"a stage is empty after one warp less",
     [](Module &module) { change(callOf(module, "mbarrier.init", 1), 1, -1); },
     "still reads|nothing has waited|more arrivals|nothing puts them in order"},
    {"what is known of queries is there after half of it",
     [](Module &module) { change(callOf(module, "mbarrier.init", 5), 1, -1); },
     "nothing puts them in order|more arrivals|is wrong|wait at a barrier"},
    {"a lane says that all have found what is to be known",
     [](Module &module) { erase(callOf(module, "bar.warp.sync", 0)); },
     "nothing puts them in order"},
    {"scores are read before the wait",
     [](Module &module) { readBefore(callOf(module, waits, scores)); },
     "not waited for are mixed with others|is wrong"},
    {"gradients of weights are read before the wait",
     [](Module &module) { readBefore(callOf(module, waits, slopes)); },
     "not waited for are mixed with others|is wrong"},
    {"the last products of a tile are not waited for",
     [](Module &module) { reads(callOf(module, waits, depth), gpu::GroupWait{1}.text()); },
     "nothing has waited for it|still reads|not waited for"},
    {"products of keys are not waited for",
     [](Module &module) { reads(callOf(module, waits, queries), gpu::GroupWait{1}.text()); },
     "nothing has waited for it|still reads|not waited for"},
    {"registers become sums without a fence",
     [](Module &module) {
       for (CallInst *fence : callsOf(module, "wgmma.fence"))
         erase(fence);
     },
     "without a fence (wgmma.fence)"},
    {"gradients of scores are those of weights, in one block of keys",
     [](Module &module) { skip(slopesOf(module).front()); }, "is wrong"},
    {"gradients of scores are those of weights, in one block of queries",
     [](Module &module) { skip(slopesOf(module).back()); }, "is wrong"},
    {"a place in the ring keeps its phase",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::Xor))
         if (each->getType()->isIntegerTy(32) && isa<ZExtInst>(each->getOperand(1)))
           skip(each);
     },
     "more arrivals|still|wait at a barrier|nothing puts them in order"},
    {"consumers take more registers than there are",
     [](Module &module) { change(callOf(module, "setmaxnreg.inc"), 0, 8); },
     "wait at more registers|setmaxnreg"},
};

const Mutant ofMasks[] = {
    {"a query does not see its own position",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::ICmp)) {
         auto *compare = cast<ICmpInst>(each);
         if (compare->getOperand(0)->getType()->isIntegerTy(32) &&
             (compare->getPredicate() == CmpInst::ICMP_SGE ||
              compare->getPredicate() == CmpInst::ICMP_SLE))
           compare->setPredicate(compare->getStrictPredicate());
       }
     },
     "is wrong"},
};

const Mutant ofLargeScores[] = {
    {"weights are of scores that what is known is not relative to",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::FCmp))
         if (auto *limit = dyn_cast<ConstantFP>(each->getOperand(1));
             limit && limit->isExactlyValue(128.0f))
           each->setOperand(1, ConstantFP::getInfinity(limit->getType()));
     },
     "is wrong"},
};

struct Drawn {
  double factor = 1, error = 8 / double(1 << 18); ///< as GroupGradientTest says
  std::optional<size_t> only = std::nullopt;      ///< result
  int64_t positions = 330;                        ///< tiles go round the ring twice
  int draws = 1;                                  ///< of numbers, of which one shows a fault
};

/// What the kernel, changed so, is said to do wrong with numbers that are drawn, and the numbers.
std::pair<std::string, std::string> problemOf(const AttentionCase &attention, const Drawn &drawn,
                                              const EmulatedKernel::Change &change) {
  AttentionRuns runs(narrowOutput(narrow(attention)), /*gradient=*/true, "sm_90a");
  EXPECT_TRUE(runs.multiplyByGroups());
  runs.draw({{"b", 1}, {"s", drawn.positions}, {"t", drawn.positions}}, nullptr, drawn.factor);
  EmulatedKernel kernel = runs.compiled(change, /*alignment=*/16);
  EXPECT_FALSE(kernel.problem()) << *kernel.problem();
  std::string text = firstSaid(
      [&](uint64_t order) { return runs.problemOf(kernel, order, drawn.error, drawn.only); });
  return {text, runs.drawnFrom()};
}

void expectFound(const AttentionCase &attention, ArrayRef<Mutant> mutants,
                 const Drawn &drawn = {}) {
  auto [right, from] = problemOf(attention, drawn, nullptr);
  EXPECT_EQ(right, "") << "without a fault, " << from;
  for (const Mutant &mutant : mutants) {
    std::string text;
    for (int draw = 0; draw < drawn.draws && text.empty(); ++draw)
      text = problemOf(attention, drawn, mutant.plant).first;
    mutant.expectIn(text);
  }
}

AttentionCase oneHead() {
  return {.dims = {"b", "s", "t", "d=16", "w=8"},
          .q = {"b", "s", "d"},
          .k = {"b", "t", "d"},
          .v = {"b", "t", "w"}};
}

TEST(GpuGroupGradientMutants, AreFound) {
  expectFound(oneHead(), mutants);
}

TEST(GpuGroupGradientMutants, OfMasksAreFound) {
  expectFound(causal(oneHead()), ofMasks, {.positions = 140});
}

// Of values: those of queries and keys are as large as what their rounding leaves. A draw in ten
// has no two scores of a query so near that both have a weight, and shows nothing.
TEST(GpuGroupGradientMutants, OfLargeScoresAreFound) {
  expectFound(oneHead(), ofLargeScores,
              {.factor = 1e5, .error = 1e-4, .only = 2, .positions = 70, .draws = 10});
}

} // namespace
