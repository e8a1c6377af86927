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

/// A box of a tensor of `rank` dimensions; its coordinates are the operands from `first` on.
static Value *coordinates(Emulation &emulation, IntrinsicInst &inst, unsigned first,
                          unsigned rank) {
  Value *registers = emulation.registers(inst, Emulation::given);
  for (unsigned i = 0; i < rank; ++i)
    emulation.store(inst.getArgOperand(first + i), registers, i);
  return registers;
}

/// To shared memory: where, the barrier, the tensor, coordinates, the blocks that get it, a hint
/// for the cache, and whether these two count.
static Value *loadTile(Emulation &emulation, IntrinsicInst &inst, unsigned rank) {
  bool multicast = cast<ConstantInt>(inst.getArgOperand(5 + rank))->isOne();
  Value *mask = multicast ? inst.getArgOperand(3 + rank) : emulation.constant(0);
  return emulation.does("weft_emulated_tile_load",
                        {inst.getArgOperand(0), inst.getArgOperand(1), inst.getArgOperand(2),
                         coordinates(emulation, inst, 3, rank), emulation.constant(rank), mask,
                         emulation.site(inst)});
}

static Value *storeTile(Emulation &emulation, IntrinsicInst &inst, unsigned rank) {
  return emulation.does("weft_emulated_tile_store",
                        {inst.getArgOperand(0), inst.getArgOperand(1),
                         coordinates(emulation, inst, 2, rank), emulation.constant(rank),
                         emulation.site(inst)});
}

static Value *replaceBulk(Emulation &emulation, IntrinsicInst &inst) {
  switch (inst.getIntrinsicID()) {
#define WEFT_TILES(rank)                                                                           \
  case Intrinsic::nvvm_cp_async_bulk_tensor_g2s_tile_##rank##d:                                    \
    return loadTile(emulation, inst, rank);                                                        \
  case Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_##rank##d:                                    \
    return storeTile(emulation, inst, rank);                                                       \
  case Intrinsic::nvvm_cp_async_bulk_tensor_prefetch_tile_##rank##d:                               \
    return emulation.constant(0);
    WEFT_TILES(1)
    WEFT_TILES(2)
    WEFT_TILES(3)
    WEFT_TILES(4)
    WEFT_TILES(5)
#undef WEFT_TILES
  case Intrinsic::nvvm_prefetch_tensormap:
    return emulation.constant(0);
  case Intrinsic::nvvm_cp_async_bulk_global_to_shared_cluster: {
    bool multicast = cast<ConstantInt>(inst.getArgOperand(6))->isOne();
    Value *mask = multicast ? inst.getArgOperand(4) : emulation.constant(0);
    return emulation.does("weft_emulated_bulk_load",
                          {inst.getArgOperand(0), inst.getArgOperand(1), inst.getArgOperand(2),
                           inst.getArgOperand(3), mask, emulation.site(inst)});
  }
  case Intrinsic::nvvm_cp_async_bulk_shared_cta_to_global:
    return emulation.does("weft_emulated_bulk_store",
                          {inst.getArgOperand(0), inst.getArgOperand(1), inst.getArgOperand(2),
                           emulation.site(inst)});
  case Intrinsic::nvvm_cp_async_bulk_commit_group:
    return emulation.does("weft_emulated_bulk_commit");
  case Intrinsic::nvvm_cp_async_bulk_wait_group:
  case Intrinsic::nvvm_cp_async_bulk_wait_group_read:
    return emulation.does("weft_emulated_bulk_wait", inst.getArgOperand(0));
  default:
    return nullptr;
  }
}

Value *replaceCopies(Emulation &emulation, IntrinsicInst &inst) {
  if (Value *value = replaceBulk(emulation, inst))
    return value;
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
