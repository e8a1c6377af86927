// Where threads stand, how they wait for each other, and what lanes tell each other.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

Value *replacePlaces(Emulation &emulation, IntrinsicInst &inst) {
  auto axis = [&](const char *function, unsigned at) {
    return emulation.number(function, emulation.constant(at));
  };
  IRBuilder<> &builder = emulation.builder;
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return emulation.number("weft_emulated_thread");
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return emulation.number("weft_emulated_threads");
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return emulation.number("weft_emulated_lane");
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return emulation.constant(32);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return axis("weft_emulated_block", 0);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return axis("weft_emulated_block", 1);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return axis("weft_emulated_block", 2);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return axis("weft_emulated_blocks", 0);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return axis("weft_emulated_blocks", 1);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return axis("weft_emulated_blocks", 2);
  case Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank:
    return emulation.number("weft_emulated_cluster_rank");
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank:
    return emulation.number("weft_emulated_cluster_blocks");
  case Intrinsic::nvvm_mapa:
  case Intrinsic::nvvm_mapa_shared_cluster: {
    Value *place =
        emulation.call("weft_emulated_map", builder.getPtrTy(),
                       {inst.getArgOperand(0), inst.getArgOperand(1), emulation.site(inst)});
    return builder.CreateAddrSpaceCast(place, inst.getType());
  }
  case Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32:
  case Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32:
    return emulation.does("weft_emulated_registers", {inst.getArgOperand(0), emulation.site(inst)});
  case Intrinsic::nvvm_griddepcontrol_wait:
    return emulation.does("weft_emulated_await_grid");
  case Intrinsic::nvvm_griddepcontrol_launch_dependents:
    return builder.getInt32(0); // grids run one after the other
  default:
    return nullptr;
  }
}

Value *replaceBarriers(Emulation &emulation, IntrinsicInst &inst) {
  enum Way : uint32_t { waits, arrives, counts, whetherAll, whetherAny };
  auto barrier = [&](Way way, bool aligned, bool counted, bool votes = false) {
    Value *count = counted ? inst.getArgOperand(1) : emulation.constant(0);
    Value *yes = votes ? inst.getArgOperand(inst.arg_size() - 1) : emulation.constant(0);
    Value *result = emulation.number("weft_emulated_barrier",
                                     {inst.getArgOperand(0), count, yes, emulation.constant(way),
                                      emulation.constant(aligned), emulation.site(inst)});
    return way == whetherAll || way == whetherAny ? emulation.truth(result) : result;
  };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return barrier(waits, true, false);
  case Intrinsic::nvvm_barrier_cta_sync_all:
    return barrier(waits, false, false);
  case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
    return barrier(waits, true, true);
  case Intrinsic::nvvm_barrier_cta_sync_count:
    return barrier(waits, false, true);
  case Intrinsic::nvvm_barrier_cta_arrive_aligned_count:
    return barrier(arrives, true, true);
  case Intrinsic::nvvm_barrier_cta_arrive_count:
    return barrier(arrives, false, true);
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
    return barrier(counts, true, false, true);
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_count:
    return barrier(counts, true, true, true);
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
    return barrier(whetherAll, true, false, true);
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_count:
    return barrier(whetherAll, true, true, true);
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    return barrier(whetherAny, true, false, true);
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_count:
    return barrier(whetherAny, true, true, true);
  case Intrinsic::nvvm_bar_warp_sync:
    return emulation.does("weft_emulated_warp_barrier",
                          {inst.getArgOperand(0), emulation.site(inst)});
  case Intrinsic::nvvm_barrier_cluster_arrive:
  case Intrinsic::nvvm_barrier_cluster_arrive_aligned:
  case Intrinsic::nvvm_barrier_cluster_arrive_relaxed:
  case Intrinsic::nvvm_barrier_cluster_arrive_relaxed_aligned: {
    bool relaxed = inst.getIntrinsicID() == Intrinsic::nvvm_barrier_cluster_arrive_relaxed ||
                   inst.getIntrinsicID() == Intrinsic::nvvm_barrier_cluster_arrive_relaxed_aligned;
    return emulation.does("weft_emulated_cluster_arrive",
                          {emulation.constant(relaxed), emulation.site(inst)});
  }
  case Intrinsic::nvvm_barrier_cluster_wait:
  case Intrinsic::nvvm_barrier_cluster_wait_aligned:
    return emulation.does("weft_emulated_cluster_wait", emulation.site(inst));
  case Intrinsic::nvvm_membar_cta:
  case Intrinsic::nvvm_membar_gl:
  case Intrinsic::nvvm_membar_sys:
    return emulation.does("weft_emulated_fence");
  case Intrinsic::nvvm_fence_proxy_async:
  case Intrinsic::nvvm_fence_proxy_async_global:
  case Intrinsic::nvvm_fence_proxy_async_shared_cta:
  case Intrinsic::nvvm_fence_proxy_async_shared_cluster:
    return emulation.does("weft_emulated_cross");
  default:
    return nullptr;
  }
}

/// The operands: who takes part, the value, by how much, and the segments and their ends.
static Value *shuffle(Emulation &emulation, IntrinsicInst &inst, uint32_t shift) {
  IRBuilder<> &builder = emulation.builder;
  Value *bits = builder.CreateBitCast(inst.getArgOperand(1), builder.getInt32Ty());
  Value *taken =
      emulation.call("weft_emulated_shuffle", builder.getInt64Ty(),
                     {inst.getArgOperand(0), bits, inst.getArgOperand(2), inst.getArgOperand(3),
                      emulation.constant(shift), emulation.site(inst)});
  Value *value = builder.CreateBitCast(builder.CreateTrunc(taken, builder.getInt32Ty()),
                                       inst.getArgOperand(1)->getType());
  if (!inst.getType()->isStructTy())
    return value;
  Value *is = builder.CreateTrunc(builder.CreateLShr(taken, 32), builder.getInt1Ty());
  Value *both = builder.CreateInsertValue(PoisonValue::get(inst.getType()), value, 0);
  return builder.CreateInsertValue(both, is, 1);
}

Value *replaceLanes(Emulation &emulation, IntrinsicInst &inst) {
  enum Shift : uint32_t { up, down, butterfly, index };
  enum Fold : uint32_t { add, least, most, leastSigned, mostSigned, bitAnd, bitOr, bitXor };
  IRBuilder<> &builder = emulation.builder;
  auto ballot = [&] {
    return emulation.number("weft_emulated_ballot",
                            {inst.getArgOperand(0), inst.getArgOperand(1), emulation.site(inst)});
  };
  auto fold = [&](Fold how) {
    return emulation.number("weft_emulated_fold", {inst.getArgOperand(0), inst.getArgOperand(1),
                                                   emulation.constant(how), emulation.site(inst)});
  };
#define WEFT_SHUFFLES(name)                                                                        \
  case Intrinsic::nvvm_shfl_sync_##name##_i32:                                                     \
  case Intrinsic::nvvm_shfl_sync_##name##_f32:                                                     \
  case Intrinsic::nvvm_shfl_sync_##name##_i32p:                                                    \
  case Intrinsic::nvvm_shfl_sync_##name##_f32p
  switch (inst.getIntrinsicID()) {
    WEFT_SHUFFLES(up) : return shuffle(emulation, inst, up);
    WEFT_SHUFFLES(down) : return shuffle(emulation, inst, down);
    WEFT_SHUFFLES(bfly) : return shuffle(emulation, inst, butterfly);
    WEFT_SHUFFLES(idx) : return shuffle(emulation, inst, index);
#undef WEFT_SHUFFLES
  case Intrinsic::nvvm_vote_ballot_sync:
    return ballot();
  case Intrinsic::nvvm_vote_any_sync:
    return emulation.truth(ballot());
  case Intrinsic::nvvm_vote_all_sync:
    return builder.CreateICmpEQ(ballot(), inst.getArgOperand(0));
  case Intrinsic::nvvm_redux_sync_add:
    return fold(add);
  case Intrinsic::nvvm_redux_sync_umin:
    return fold(least);
  case Intrinsic::nvvm_redux_sync_umax:
    return fold(most);
  case Intrinsic::nvvm_redux_sync_min:
    return fold(leastSigned);
  case Intrinsic::nvvm_redux_sync_max:
    return fold(mostSigned);
  case Intrinsic::nvvm_redux_sync_and:
    return fold(bitAnd);
  case Intrinsic::nvvm_redux_sync_or:
    return fold(bitOr);
  case Intrinsic::nvvm_redux_sync_xor:
    return fold(bitXor);
  case Intrinsic::nvvm_elect_sync: {
    Value *lane =
        emulation.number("weft_emulated_elect", {inst.getArgOperand(0), emulation.site(inst)});
    Value *is = builder.CreateICmpEQ(lane, emulation.number("weft_emulated_lane"));
    Value *both = builder.CreateInsertValue(PoisonValue::get(inst.getType()), lane, 0);
    return builder.CreateInsertValue(both, is, 1);
  }
  default:
    return nullptr;
  }
}

} // namespace weft::gpu
