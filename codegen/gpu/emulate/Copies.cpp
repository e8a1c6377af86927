// Copies that go on by themselves.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

/// From global to shared memory; a third operand says how many bytes are read.
static Value *copy(Emulation &emulation, IntrinsicInst &inst, unsigned bytes) {
  Value *given = inst.arg_size() > 2 ? inst.getArgOperand(2) : emulation.constant(bytes);
  return emulation.does("weft_emulated_copy", {inst.getArgOperand(0), inst.getArgOperand(1), given,
                                               emulation.constant(bytes), emulation.site(inst)});
}

Value *replaceCopies(Emulation &emulation, IntrinsicInst &inst) {
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_ca_shared_global_4:
  case Intrinsic::nvvm_cp_async_ca_shared_global_4_s:
    return copy(emulation, inst, 4);
  case Intrinsic::nvvm_cp_async_ca_shared_global_8:
  case Intrinsic::nvvm_cp_async_ca_shared_global_8_s:
    return copy(emulation, inst, 8);
  case Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case Intrinsic::nvvm_cp_async_ca_shared_global_16_s:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16_s:
    return copy(emulation, inst, 16);
  case Intrinsic::nvvm_cp_async_commit_group:
    return emulation.does("weft_emulated_copy_commit");
  case Intrinsic::nvvm_cp_async_wait_group:
    return emulation.does("weft_emulated_copy_wait", inst.getArgOperand(0));
  case Intrinsic::nvvm_cp_async_wait_all:
    return emulation.does("weft_emulated_copy_wait_all");
  default:
    return nullptr;
  }
}

} // namespace weft::gpu
