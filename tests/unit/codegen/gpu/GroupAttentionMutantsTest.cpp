// Faults planted in attention by products of four warps: each is found, and by what is said here.
#include "tests/unit/codegen/gpu/GroupAttentionCase.h"
#include "tests/unit/codegen/gpu/PlantedFaults.h"

#include "llvm/IR/InlineAsm.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

const std::string tryWait = "mbarrier.try.wait", waits = "wgmma.wait_group.sync.aligned ",
                  product = "wgmma.mma_async";
/// In the order of the code: of the producer for queries, keys, and values; of consumers for
/// queries, keys, values.
enum Wait : size_t {
  queriesEmpty,
  firstKeysEmpty,
  keysEmpty,
  valuesEmpty,
  lastValuesEmpty,
  queriesFull,
  firstKeysFull,
  keysFull,
  valuesFull,
  lastValuesFull
};
/// For scores and sums of consumers.
enum Products : size_t { firstScores, scores, sums, lastSums };

/// What a wait gives is what it was given.
void readBefore(CallInst *wait) {
  for (User *user : make_early_inc_range(wait->users())) {
    auto *part = cast<ExtractValueInst>(user);
    part->replaceAllUsesWith(wait->getArgOperand(part->getIndices()[0]));
  }
}

std::vector<Instruction *> comparisons(Module &module, CmpInst::Predicate predicate) {
  std::vector<Instruction *> found;
  for (Instruction *each : instructionsOf(module, Instruction::ICmp))
    if (cast<ICmpInst>(each)->getPredicate() == predicate)
      found.push_back(each);
  return found;
}

/// Lanes that have a row do not look at each other.
void alone(Module &module, size_t from, size_t count) {
  std::vector<CallInst *> all = callsOf(module, "shfl.sync.bfly");
  ASSERT_LE(from + count, all.size());
  for (size_t i = from; i < from + count; ++i) {
    all[i]->replaceAllUsesWith(all[i]->getArgOperand(1));
    erase(all[i]);
  }
}

const Mutant mutants[] = {
    {"queries are not waited for",
     [](Module &module) { holds(callOf(module, tryWait, queriesFull)); },
     "still writes|nothing has waited for it"},
    {"keys are not waited for", [](Module &module) { holds(callOf(module, tryWait, keysFull)); },
     "still writes|nothing has waited for it"},
    {"values are not waited for",
     [](Module &module) { holds(callOf(module, tryWait, valuesFull)); },
     "still writes|nothing has waited for it"},
    {"the last values are not waited for",
     [](Module &module) { holds(callOf(module, tryWait, lastValuesFull)); },
     "still writes|nothing has waited for it"},
    {"the producer does not wait until keys are read",
     [](Module &module) { holds(callOf(module, tryWait, keysEmpty)); },
     "more arrivals|nothing has waited for it|still reads"},
    {"the producer does not wait until values are read",
     [](Module &module) { holds(callOf(module, tryWait, valuesEmpty)); },
     "more arrivals|nothing has waited for it|still reads"},
    {"queries are read only after one more",
     [](Module &module) {
       std::vector<CallInst *> made = callsOf(module, "mbarrier.init");
       change(made[made.size() - 3], 1, 1); // of the stage that is used again
     },
     "wants 1 of 9"},
    {"consumers wait for the other phase of keys",
     [](Module &module) { change(callOf(module, tryWait, firstKeysFull), 1, 1); },
     "still writes|nothing has waited for it"},
    {"more bytes are expected than come",
     [](Module &module) { change(callOf(module, "mbarrier.arrive.expect.tx", 1), 1, 16); },
     "and 16 bytes"},
    {"a stage is empty after one warp less",
     [](Module &module) { change(callOf(module, "mbarrier.init", 1), 1, -1); },
     "still reads|nothing has waited|more arrivals"},
    {"a stage is empty only after one more",
     [](Module &module) { change(callOf(module, "mbarrier.init", 1), 1, 1); }, "wants 1 of 9"},
    {"scores are read before the wait",
     [](Module &module) { readBefore(callOf(module, waits, scores)); },
     "not waited for are mixed with others|are wrong"},
    {"keys are released one group too early",
     [](Module &module) { reads(callOf(module, waits, scores), gpu::GroupWait{2}.text()); },
     "nothing has waited for it|still reads|not waited for"},
    {"sums are rescaled while products add to them",
     [](Module &module) { readBefore(callOf(module, waits, sums)); },
     "not waited for are mixed with others|are wrong"},
    {"values are released while products read them",
     [](Module &module) { reads(callOf(module, waits, sums), gpu::GroupWait{1}.text()); },
     "nothing has waited for it|still reads|not waited for"},
    {"the last products are not waited for",
     [](Module &module) { reads(callOf(module, waits, lastSums), gpu::GroupWait{1}.text()); },
     "was not waited for|not waited for are mixed"},
    {"scores and sums are one group",
     [](Module &module) { erase(callOf(module, "wgmma.commit", scores)); },
     "nothing has waited for it|still reads|not waited for"},
    {"products of values are in no group",
     [](Module &module) { erase(callOf(module, "wgmma.commit", sums)); },
     "nothing has waited for it|still reads|not waited for"},
    {"registers become sums without a fence",
     [](Module &module) {
       for (CallInst *fence : callsOf(module, "wgmma.fence"))
         erase(fence);
     },
     "without a fence (wgmma.fence)"},
    {"a row's highest score is a lane's",
     [](Module &module) { alone(module, 0, callsOf(module, "shfl.sync.bfly").size() - 4); },
     "are wrong"},
    {"a row's total is a lane's",
     [](Module &module) { alone(module, callsOf(module, "shfl.sync.bfly").size() - 4, 4); },
     "are wrong"},
    {"a query sees one key more",
     [](Module &module) {
       for (Instruction *each : comparisons(module, CmpInst::ICMP_SLT))
         cast<ICmpInst>(each)->setPredicate(CmpInst::ICMP_SLE);
     },
     "are wrong"},
    {"a block of keys counts as seen one key too early",
     [](Module &module) {
       for (Instruction *each : comparisons(module, CmpInst::ICMP_SLE)) {
         IRBuilder<> builder(each);
         each->setOperand(0, builder.CreateSub(each->getOperand(0), builder.getInt32(1)));
       }
     },
     "are wrong"},
    {"sums are not rescaled",
     [](Module &module) {
       for (ExtractValueInst *part : [&] {
              std::vector<ExtractValueInst *> parts;
              for (User *user : callOf(module, waits, sums)->users())
                parts.push_back(cast<ExtractValueInst>(user));
              return parts;
            }())
         for (User *user : make_early_inc_range(part->users()))
           if (auto *times = dyn_cast<BinaryOperator>(user))
             skip(times);
     },
     "are wrong"},
    {"a weight is one number of bf16",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::FSub))
         each->replaceAllUsesWith(ConstantFP::get(each->getType(), 0));
     },
     "are wrong"},
    {"rows that see nothing yet have no shift of their own",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::Select))
         if (auto *zero = dyn_cast<ConstantFP>(cast<SelectInst>(each)->getTrueValue());
             zero && zero->isZero() && isa<BinaryOperator>(cast<SelectInst>(each)->getFalseValue()))
           each->setOperand(1, each->getOperand(2));
     },
     "mixed with others|are wrong"},
    {"the producer skips no block",
     [](Module &module) {
       // Of each block two are asked; the first block is none that is skipped.
       std::vector<Instruction *> asked = comparisons(module, CmpInst::ICMP_SGE);
       for (size_t i : {2, 4})
         asked[i]->replaceAllUsesWith(ConstantInt::getFalse(module.getContext()));
     },
     "are wrong|wait at a barrier"},
    {"consumers take more registers than there are",
     [](Module &module) { change(callOf(module, "setmaxnreg.inc"), 0, 8); },
     "wait at more registers|setmaxnreg"},
    {"a place in the rings keeps its phase",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::Xor))
         skip(each);
     },
     "more arrivals|still|wait at a barrier"},
};

const Mutant ofTheEnd[] = {
    {"keys beyond the last one are there",
     [](Module &module) {
       for (Instruction *each : comparisons(module, CmpInst::ICMP_ULE))
         each->replaceAllUsesWith(ConstantInt::getTrue(module.getContext()));
     },
     "are wrong"},
    {"a block of keys that ends where there are no more is masked one key too late",
     [](Module &module) {
       for (Instruction *each : comparisons(module, CmpInst::ICMP_ULE)) {
         IRBuilder<> builder(each);
         each->setOperand(0, builder.CreateSub(each->getOperand(0), builder.getInt32(1)));
       }
     },
     "are wrong"},
};

const Mutant ofTilesWithoutKeys[] = {
    {"the producer does not wait until queries are read",
     [](Module &module) { holds(callOf(module, tryWait, queriesEmpty)); },
     "more arrivals|nothing has waited for it|still reads"},
};

const Mutant ofTurns[] = {
    {"no group has the first turn",
     [](Module &module) { erase(callsOf(module, "barrier.cta.arrive").front()); },
     "wait at a barrier|waits at barrier|wait"},
    {"a group keeps its turn",
     [](Module &module) { erase(callsOf(module, "barrier.cta.arrive").back()); },
     "wait at a barrier|waits at barrier|wait"},
};

void expectFoundIn(GroupAttentionCase given, ArrayRef<Mutant> mutants,
                   const gpu::GroupAttentionTiles &tiles = {
                       .depth = 64, .values = 64, .keys = 64}) {
  given.depth = tiles.depth;
  given.values = tiles.values;
  given.blocks = 1;
  given.draw(1, tiles.weightParts);
  expectFound(
      mutants, [&](Module &module) { buildGroupAttention(module, tiles, given.sees); }, "sm_90a",
      [&](EmulatedKernel &kernel, uint64_t seed) {
        return runGroupAttention(kernel, tiles, given, {.seed = seed, .races = true});
      });
}

/// Rows that see nothing, some, and as many blocks as go round the rings twice.
TEST(GpuGroupAttentionMutants, AreFound) {
  expectFoundIn({300, 234, Sees::causal}, mutants);
}

/// One key lacks of whole blocks.
TEST(GpuGroupAttentionMutants, OfTheLastKeysAreFound) {
  expectFoundIn({65, 127, Sees::all}, ofTheEnd);
}

/// Nothing but queries keeps the producer from going on.
TEST(GpuGroupAttentionMutants, OfTilesWithoutKeysAreFound) {
  expectFoundIn({700, 100, Sees::causal}, ofTilesWithoutKeys);
}

TEST(GpuGroupAttentionMutants, OfTurnsAreFound) {
  expectFoundIn({100, 300, Sees::all}, ofTurns, {.values = 64, .keys = 64});
}

} // namespace
