// Faults planted in contractions: each is found, and the emulator says what it is; without them it
// finds nothing, in any order.
#include "tests/unit/codegen/gpu/ContractionCase.h"
#include "tests/unit/codegen/gpu/PlantedFaults.h"

#include "llvm/IR/InlineAsm.h"

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
       Value *step = fills->getOperand(0);
       fills->setOperand(0, builder.CreateAdd(step, ConstantInt::get(step->getType(), 1)));
     },
     "still writes"},
};

TEST(GpuMutants, OfMma) {
  ContractionCase given(gpu::Element::bfloat16, 72, 64, 200);
  given.draw(1);
  expectFound(
      ofMma, [](Module &module) { buildMma(module, tiles, true, true); }, "sm_80",
      [&](EmulatedKernel &kernel, uint64_t seed) {
        return runMma(kernel, tiles, given, {.seed = seed, .races = true});
      });
}

const gpu::GroupTiles groupTiles = {.columns = 64, .consumers = 2, .stages = 2};

/// What a matrix's descriptor says besides its address.
void changeDescriptors(Module &module, uint64_t by) {
  for (Instruction *each : instructionsOf(module, Instruction::Or))
    if (auto *rest = dyn_cast<ConstantInt>(each->getOperand(1)); rest && rest->getBitWidth() == 64)
      each->setOperand(1, ConstantInt::get(rest->getType(), rest->getZExtValue() ^ by));
}

const Mutant ofGroup[] = {
    {"consumers do not wait until a stage is full",
     [](Module &module) { holds(callOf(module, "mbarrier.try.wait", 1)); }, "still writes"},
    {"the producer does not wait until a stage is empty",
     [](Module &module) { holds(callOf(module, "mbarrier.try.wait", 0)); }, "more arrivals"},
    {"consumers begin with the wrong phase",
     [](Module &module) { change(callOf(module, "mbarrier.try.wait", 1), 1, 1); }, "still writes"},
    {"the producer begins with the wrong phase",
     [](Module &module) { change(callOf(module, "mbarrier.try.wait", 0), 1, 1); },
     "wait at a barrier in shared memory"},
    {"more bytes are expected than come",
     [](Module &module) { change(callOf(module, "mbarrier.arrive.expect.tx"), 1, 16); },
     "and 16 bytes"},
    {"less bytes are expected than come",
     [](Module &module) { change(callOf(module, "mbarrier.arrive.expect.tx"), 1, -16); },
     "and -16 bytes"},
    {"a stage is empty only after one more",
     [](Module &module) { change(callOf(module, "mbarrier.init", 1), 1, 1); }, "wants 1 of 9"},
    {"a stage is empty after one less",
     [](Module &module) { change(callOf(module, "mbarrier.init", 1), 1, -1); },
     "still reads|nothing has waited"},
    {"barriers are not published to copies",
     [](Module &module) { erase(callOf(module, "fence.mbarrier")); }, "fence.mbarrier_init"},
    {"nobody waits until barriers are made",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync")); }, "barrier"},
    {"a stage is released while products read it",
     [](Module &module) { erase(callOf(module, "wgmma.wait_group")); }, "still reads"},
    {"a stage is released one group too early",
     [](Module &module) { change(callOf(module, "wgmma.wait_group"), 0, 1); }, "still reads"},
    {"sums are read before the wait",
     [](Module &module) {
       CallInst *wait = callOf(module, "wgmma.wait_group.sync.aligned ");
       for (User *user : make_early_inc_range(wait->users())) {
         auto *part = cast<ExtractValueInst>(user);
         part->replaceAllUsesWith(wait->getArgOperand(part->getIndices()[0]));
       }
     },
     "are wrong"},
    {"the last group of products is not waited for",
     [](Module &module) {
       reads(callOf(module, "wgmma.wait_group.sync.aligned "), gpu::GroupWait{1}.text());
     },
     "are wrong|still reads"},
    {"products are in no group", [](Module &module) { erase(callOf(module, "wgmma.commit")); },
     "still reads"},
    {"registers become sums without a fence",
     [](Module &module) {
       for (CallInst *fence : callsOf(module, "wgmma.fence"))
         erase(fence);
     },
     "without a fence (wgmma.fence)"},
    {"the first product of a stage starts anew",
     [](Module &module) {
       CallInst *product = callOf(module, "wgmma.mma_async");
       auto code =
           *gpu::GroupProduct::parsed(cast<InlineAsm>(product->getCalledOperand())->getAsmString());
       code.keeps = false;
       reads(product, code.text());
     },
     "are wrong"},
    {"matrices are read as mixed over 64 bytes",
     [](Module &module) { changeDescriptors(module, 3ull << 62); }, "are wrong"},
    {"rows of a matrix are read too close",
     [](Module &module) { changeDescriptors(module, 96ull << 32); }, "are wrong"},
    {"consumers take more registers than there are",
     [](Module &module) { change(callOf(module, "setmaxnreg.inc"), 0, 8); },
     "wait at more registers"},
    {"the producer keeps its registers",
     [](Module &module) { erase(callOf(module, "setmaxnreg.dec")); }, "wait at more registers"},
    {"a tile goes where the one beside it lies",
     [](Module &module) {
       CallInst *load = callOf(module, "cp.async.bulk.tensor.g2s", 1);
       IRBuilder<> builder(load);
       load->setArgOperand(0, gpu::offset(builder, load->getArgOperand(0), -1024));
     },
     "still writes"},
    {"coordinates are exchanged",
     [](Module &module) {
       CallInst *load = callOf(module, "cp.async.bulk.tensor.g2s");
       Value *first = load->getArgOperand(3);
       load->setArgOperand(3, load->getArgOperand(4));
       load->setArgOperand(4, first);
     },
     "are wrong"},
    {"every lane of the producer copies",
     [](Module &module) {
       for (User *user : callOf(module, "elect.sync", 0)->users())
         user->replaceAllUsesWith(ConstantInt::getTrue(module.getContext()));
     },
     "more arrivals"},
    {"a place in the ring keeps its phase",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::Xor))
         skip(each);
     },
     "more arrivals"},
};

TEST(GpuMutants, OfGroup) {
  ContractionCase given(gpu::Element::bfloat16, 200, 128, 320);
  given.draw(1);
  expectFound(
      ofGroup, [](Module &module) { buildGroup(module, groupTiles); }, "sm_90a",
      [&](EmulatedKernel &kernel, uint64_t seed) {
        return runGroup(kernel, groupTiles, given, {.seed = seed, .races = true}, 2);
      });
}

const gpu::GroupTiles clusterTiles = {.columns = 64, .consumers = 1, .stages = 2, .cluster = 2};

const Mutant ofCluster[] = {
    {"a shared tile goes to its own block only",
     [](Module &module) {
       CallInst *load = callOf(module, "cp.async.bulk.tensor.g2s", 1);
       load->setArgOperand(7, ConstantInt::getFalse(module.getContext()));
     },
     "wait at a barrier in shared memory"},
    {"a shared tile goes to blocks that there are not",
     [](Module &module) {
       CallInst *load = callOf(module, "cp.async.bulk.tensor.g2s", 1);
       load->setArgOperand(5, ConstantInt::get(load->getArgOperand(5)->getType(), 6));
     },
     "blocks that the cluster does not have"},
    {"the other block is not told that a stage is empty",
     [](Module &module) {
       for (CallInst *map : callsOf(module, "mapa"))
         map->setArgOperand(1, ConstantInt::get(map->getArgOperand(1)->getType(), 0));
     },
     "arrivals|still reads"},
    {"blocks do not wait for each other's barriers",
     [](Module &module) {
       erase(callOf(module, "barrier.cluster.arrive", 0));
       erase(callOf(module, "barrier.cluster.wait", 0));
     },
     "barrier"},
    {"a block ends while the other arrives in it",
     [](Module &module) {
       erase(callOf(module, "barrier.cluster.arrive", 1));
       erase(callOf(module, "barrier.cluster.wait", 1));
     },
     "whose threads have ended"},
};

TEST(GpuMutants, OfCluster) {
  ContractionCase given(gpu::Element::bfloat16, 200, 128, 320);
  given.draw(1);
  expectFound(
      ofCluster, [](Module &module) { buildGroup(module, clusterTiles); }, "sm_90a",
      [&](EmulatedKernel &kernel, uint64_t seed) {
        return runGroup(kernel, clusterTiles, given, {.seed = seed, .races = true}, 4);
      });
}

} // namespace
