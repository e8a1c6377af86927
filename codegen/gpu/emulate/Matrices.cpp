// Matrices that a warp's lanes hold pieces of, and copies to shared memory that threads wait for.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

static Value *loadMatrices(Emulation &emulation, IntrinsicInst &inst, unsigned count,
                           bool transposed) {
  Value *registers = emulation.registers(inst, Emulation::taken);
  emulation.does("weft_emulated_load_matrices",
                 {registers, inst.getArgOperand(0), emulation.constant(count),
                  emulation.constant(transposed), emulation.site(inst)});
  return emulation.loadAll(inst.getType(), registers);
}

static Value *storeMatrices(Emulation &emulation, IntrinsicInst &inst, bool transposed) {
  unsigned count = inst.arg_size() - 1;
  Value *registers = emulation.registers(inst, Emulation::given);
  for (unsigned i = 0; i < count; ++i)
    emulation.store(inst.getArgOperand(i + 1), registers, i);
  return emulation.does("weft_emulated_store_matrices",
                        {inst.getArgOperand(0), registers, emulation.constant(count),
                         emulation.constant(transposed), emulation.site(inst)});
}

static Value *multiply(Emulation &emulation, IntrinsicInst &inst, uint32_t element) {
  Value *sums = emulation.registers(inst, Emulation::taken),
        *fragments = emulation.registers(inst, Emulation::given);
  for (unsigned i = 0; i < inst.arg_size(); ++i)
    emulation.store(inst.getArgOperand(i), fragments, i);
  emulation.does("weft_emulated_product",
                 {sums, fragments, emulation.constant(element), emulation.site(inst)});
  return emulation.loadAll(inst.getType(), sums);
}

Value *replaceMatrices(Emulation &emulation, IntrinsicInst &inst) {
  enum Element : uint32_t { bfloat16, float16, tf32 };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16:
    return loadMatrices(emulation, inst, 1, false);
  case Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16:
    return loadMatrices(emulation, inst, 2, false);
  case Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16:
    return loadMatrices(emulation, inst, 4, false);
  case Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16:
    return loadMatrices(emulation, inst, 1, true);
  case Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16:
    return loadMatrices(emulation, inst, 2, true);
  case Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16:
    return loadMatrices(emulation, inst, 4, true);
  case Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x1_b16:
  case Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x2_b16:
  case Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_b16:
    return storeMatrices(emulation, inst, false);
  case Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x1_trans_b16:
  case Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x2_trans_b16:
  case Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_trans_b16:
    return storeMatrices(emulation, inst, true);
  case Intrinsic::nvvm_mma_m16n8k16_row_col_bf16:
    return multiply(emulation, inst, bfloat16);
  case Intrinsic::nvvm_mma_m16n8k16_row_col_f32_f32:
    return multiply(emulation, inst, float16);
  case Intrinsic::nvvm_mma_m16n8k8_row_col_tf32:
    return multiply(emulation, inst, tf32);
  default:
    return nullptr;
  }
}

} // namespace weft::gpu
