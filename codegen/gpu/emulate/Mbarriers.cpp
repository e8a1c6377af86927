// Barriers in shared memory.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

/// Arrivals give the phase, unless they are at another block's barrier.
static Value *arrive(Emulation &emulation, IntrinsicInst &inst, Value *bytes, Value *times) {
  return emulation.call("weft_emulated_mbarrier_arrive", emulation.builder.getInt64Ty(),
                        {inst.getArgOperand(0), bytes, times, emulation.site(inst)});
}

static Value *wait(Emulation &emulation, IntrinsicInst &inst, bool parity, bool blocks) {
  return emulation.truth(
      emulation.number(parity ? "weft_emulated_mbarrier_wait" : "weft_emulated_mbarrier_wait_phase",
                       {inst.getArgOperand(0), inst.getArgOperand(1), emulation.constant(blocks),
                        emulation.site(inst)}));
}

Value *replaceMbarriers(Emulation &emulation, IntrinsicInst &inst) {
  Value *one = emulation.constant(1), *none = emulation.constant(0);
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_mbarrier_init:
  case Intrinsic::nvvm_mbarrier_init_shared:
    return emulation.does("weft_emulated_mbarrier_init",
                          {inst.getArgOperand(0), inst.getArgOperand(1), emulation.site(inst)});
  case Intrinsic::nvvm_mbarrier_inval:
  case Intrinsic::nvvm_mbarrier_inval_shared:
    return emulation.does("weft_emulated_mbarrier_invalidate",
                          {inst.getArgOperand(0), emulation.site(inst)});
  case Intrinsic::nvvm_fence_mbarrier_init_release_cluster:
    return emulation.does("weft_emulated_mbarrier_fence");
  case Intrinsic::nvvm_mbarrier_arrive:
  case Intrinsic::nvvm_mbarrier_arrive_shared:
    return arrive(emulation, inst, none, one);
  case Intrinsic::nvvm_mbarrier_arrive_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_arrive_scope_cluster_space_cta:
  case Intrinsic::nvvm_mbarrier_arrive_scope_cta_space_cluster:
  case Intrinsic::nvvm_mbarrier_arrive_scope_cluster_space_cluster:
    return arrive(emulation, inst, none, inst.getArgOperand(1));
  case Intrinsic::nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_arrive_expect_tx_scope_cluster_space_cta:
  case Intrinsic::nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cluster:
  case Intrinsic::nvvm_mbarrier_arrive_expect_tx_scope_cluster_space_cluster:
    return arrive(emulation, inst, inst.getArgOperand(1), one);
  case Intrinsic::nvvm_mbarrier_expect_tx_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_expect_tx_scope_cluster_space_cta:
    return emulation.does("weft_emulated_mbarrier_expect",
                          {inst.getArgOperand(0), inst.getArgOperand(1), emulation.site(inst)});
  case Intrinsic::nvvm_mbarrier_try_wait_parity_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_try_wait_parity_scope_cluster_space_cta:
  case Intrinsic::nvvm_mbarrier_try_wait_parity_tl_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_try_wait_parity_tl_scope_cluster_space_cta:
    return wait(emulation, inst, true, true);
  case Intrinsic::nvvm_mbarrier_test_wait_parity_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_test_wait_parity_scope_cluster_space_cta:
    return wait(emulation, inst, true, false);
  case Intrinsic::nvvm_mbarrier_try_wait_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_try_wait_scope_cluster_space_cta:
    return wait(emulation, inst, false, true);
  case Intrinsic::nvvm_mbarrier_test_wait:
  case Intrinsic::nvvm_mbarrier_test_wait_shared:
  case Intrinsic::nvvm_mbarrier_test_wait_scope_cta_space_cta:
  case Intrinsic::nvvm_mbarrier_test_wait_scope_cluster_space_cta:
    return wait(emulation, inst, false, false);
  default:
    return nullptr;
  }
}

} // namespace weft::gpu
