// Faults planted in contractions: each is found, and the emulator says what it is; without them it
// finds nothing, in any order.
#include "tests/unit/codegen/gpu/ContractionCase.h"
#include "tests/unit/codegen/gpu/Mutation.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

const gpu::MmaTiles tiles = {
    .rows = 64, .columns = 64, .depth = 32, .warpsDown = 2, .warpsAcross = 2};

const Mutant ofMma[] = {
    {"a wait for one group less",
     [](Module &module) { change(callOf(module, "cp.async.wait.group"), 0, 1); }, "still writes"},
    {"no wait for copies", [](Module &module) { erase(callOf(module, "cp.async.wait.group")); },
     "still writes"},
    {"no barrier in the loop", [](Module &module) { erase(callOf(module, "barrier.cta.sync")); },
     "nothing puts them in order"},
    {"the barrier is before the wait",
     [](Module &module) {
       callOf(module, "barrier.cta.sync")
           ->moveBefore(callOf(module, "cp.async.wait.group")->getIterator());
     },
     "still writes"},
    {"the barrier is for the warp only",
     [](Module &module) {
       CallInst *barrier = callOf(module, "barrier.cta.sync");
       barrier->setArgOperand(0, ConstantInt::get(barrier->getArgOperand(0)->getType(), -1, true));
       becomes(barrier, "bar.warp.sync");
     },
     "nothing puts them in order"},
    {"copies of the prologue are no group of their own",
     [](Module &module) { erase(callOf(module, "cp.async.commit.group", 0)); }, "still writes"},
    {"copies of the loop are no group",
     [](Module &module) { erase(callOf(module, "cp.async.commit.group", 2)); }, "still writes"},
    {"the left side is transposed",
     [](Module &module) {
       becomes(callOf(module, "ldmatrix"), "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3");
     },
     "are wrong"},
    {"copies beyond the end are whole",
     [](Module &module) {
       for (CallInst *copy : callsOf(module, "cp.async.cg.shared.global"))
         copy->setArgOperand(2, ConstantInt::get(copy->getArgOperand(2)->getType(), 16));
     },
     "are wrong"},
    {"rows are not mixed where they are copied to",
     [](Module &module) {
       Instruction *mixes = instructionsOf(module, Instruction::Xor).front();
       mixes->replaceAllUsesWith(mixes->getOperand(0));
     },
     "are wrong"},
    {"a copy goes 8 bytes further",
     [](Module &module) {
       CallInst *copy = callOf(module, "cp.async.cg.shared.global");
       IRBuilder<> builder(copy);
       copy->setArgOperand(0, gpu::offset(builder, copy->getArgOperand(0), 8));
     },
     "no multiple of that"},
    {"the ring is filled one stage too early",
     [](Module &module) {
       // Of the two remainders by the number of stages in the loop, the first one is of the stage
       // that is filled.
       std::vector<Instruction *> remainders;
       for (Instruction *each : instructionsOf(module, Instruction::URem))
         if (auto *by = dyn_cast<ConstantInt>(each->getOperand(1));
             by && by->equalsInt(tiles.stages))
           remainders.push_back(each);
       ASSERT_GE(remainders.size(), 2u);
       Instruction *fills = remainders[remainders.size() - 2];
       IRBuilder<> builder(fills);
       fills->setOperand(0, builder.CreateAdd(fills->getOperand(0), builder.getInt32(1)));
     },
     "still writes"},
};

std::string runMutant(const Mutant *mutant, uint64_t seed) {
  KernelModule kernel = built([&](Module &module) {
    buildMma(module, tiles, true, true);
    if (mutant)
      mutant->plant(module);
  });
  EmulatedKernel emulated(std::move(kernel), "sm_80");
  ContractionCase given(gpu::Element::bfloat16, 72, 64, 200);
  given.draw(seed);
  return runMma(emulated, tiles, given, {.seed = seed, .races = true});
}

TEST(GpuMutants, OfMma) {
  for (uint64_t seed = 0; seed < 16; ++seed)
    EXPECT_EQ(runMutant(nullptr, seed), "") << "without a fault, seed " << seed;
  for (const Mutant &mutant : ofMma) {
    std::string text = found([&](uint64_t seed) { return runMutant(&mutant, seed); });
    EXPECT_NE(text.find(mutant.foundAs), std::string::npos) << mutant.name << ": " << text;
  }
}

} // namespace
