// mbarrier by LLVM's intrinsics; a wait is a loop, for one try may end too early.
#include "codegen/gpu/instructions/Mbarrier.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

void makeMbarrier(Builder &builder, Mbarrier barrier, unsigned arrivals) {
  builder.CreateIntrinsic(Intrinsic::nvvm_mbarrier_init_shared,
                          {barrier.address, builder.getInt32(arrivals)});
}

void publishMbarriers(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_fence_mbarrier_init_release_cluster, {});
}

void arrive(Builder &builder, Mbarrier barrier) {
  builder.CreateIntrinsic(Intrinsic::nvvm_mbarrier_arrive_shared, barrier.address);
}

void arriveAt(Builder &builder, Mbarrier barrier, Value *rank) {
  Value *there =
      builder.CreateIntrinsic(Intrinsic::nvvm_mapa_shared_cluster, {barrier.address, rank});
  // What is said there is that something has been read, and nothing is handed over: releasing to
  // the whole cluster would be a fence of the whole device (MEMBAR.GPU) before each arrival.
  builder.CreateIntrinsic(Intrinsic::nvvm_mbarrier_arrive_scope_cta_space_cluster,
                          {there, builder.getInt32(1)});
}

void arriveExpecting(Builder &builder, Mbarrier barrier, Value *bytes) {
  builder.CreateIntrinsic(Intrinsic::nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta,
                          {barrier.address, bytes});
}

void waitForPhase(Builder &builder, Mbarrier barrier, Value *parity) {
  Function *function = builder.GetInsertBlock()->getParent();
  BasicBlock *tries = BasicBlock::Create(builder.getContext(), "waits", function);
  BasicBlock *after = BasicBlock::Create(builder.getContext(), "after", function);
  builder.CreateBr(tries);
  builder.SetInsertPoint(tries);
  Value *over = builder.CreateIntrinsic(
      Intrinsic::nvvm_mbarrier_try_wait_parity_scope_cta_space_cta, {barrier.address, parity});
  builder.CreateCondBr(over, after, tries);
  builder.SetInsertPoint(after);
}

Mbarrier MbarrierRing::full(Builder &builder, Value *stage) const {
  return {offset(builder, base, builder.CreateMul(stage, builder.getInt32(mbarrierBytes)))};
}

Mbarrier MbarrierRing::empty(Builder &builder, Value *stage) const {
  return {offset(builder, full(builder, stage).address, stages * mbarrierBytes)};
}

void MbarrierRing::make(Builder &builder, unsigned consumers) const {
  for (unsigned stage = 0; stage < stages; ++stage) {
    makeMbarrier(builder, full(builder, builder.getInt32(stage)), 1);
    makeMbarrier(builder, empty(builder, builder.getInt32(stage)), consumers);
  }
}

void MbarrierRing::waitUntilEmpty(Builder &builder, ProducerPlace place) const {
  waitForPhase(builder, empty(builder, place.stage), place.parity);
}

Mbarrier MbarrierRing::fills(Builder &builder, ProducerPlace place, unsigned bytes) const {
  Mbarrier barrier = full(builder, place.stage);
  arriveExpecting(builder, barrier, builder.getInt32(bytes));
  return barrier;
}

void MbarrierRing::waitUntilFull(Builder &builder, ConsumerPlace place) const {
  waitForPhase(builder, full(builder, place.stage), place.parity);
}

void MbarrierRing::release(Builder &builder, ConsumerPlace place) const {
  arrive(builder, empty(builder, place.stage));
}

void MbarrierRing::releaseAt(Builder &builder, ConsumerPlace place, Value *rank) const {
  arriveAt(builder, empty(builder, place.stage), rank);
}

} // namespace weft::gpu
