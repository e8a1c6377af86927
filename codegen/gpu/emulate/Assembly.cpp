// Instructions that LLVM has no name for, and their companions.
#include "codegen/gpu/instructions/Assembly.h"
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

static Value *multiply(Emulation &emulation, CallInst &inst, const GroupProduct &product) {
  enum Flags : uint32_t { leftTransposed = 1, rightTransposed = 2, keeps = 4 };
  IRBuilder<> &builder = emulation.builder;
  unsigned sums = product.registers();
  Value *registers = emulation.registers(inst, Emulation::taken);
  for (unsigned i = 0; i < sums; ++i)
    emulation.store(inst.getArgOperand(i), registers, i);
  Value *left = ConstantPointerNull::get(builder.getPtrTy());
  Value *leftMatrix = builder.getInt64(0);
  if (product.leftInRegisters) {
    left = emulation.registers(inst, Emulation::given);
    for (unsigned i = 0; i < 4; ++i)
      emulation.store(inst.getArgOperand(sums + i), left, i);
  } else {
    leftMatrix = inst.getArgOperand(sums);
  }
  uint32_t flags = (product.leftTransposed ? leftTransposed : 0) |
                   (product.rightTransposed ? rightTransposed : 0) | (product.keeps ? keeps : 0);
  emulation.does("weft_emulated_group_product",
                 {registers, left, leftMatrix, inst.getArgOperand(inst.arg_size() - 1),
                  emulation.constant(product.columns),
                  emulation.constant(uint32_t(product.element)), emulation.constant(flags),
                  emulation.site(inst)});
  return emulation.loadAll(inst.getType(), registers);
}

/// All operands come back, those that stand for sums as these.
static Value *wait(Emulation &emulation, CallInst &inst, unsigned underWay) {
  Value *registers = emulation.registers(inst, Emulation::taken);
  unsigned sums = 0;
  for (unsigned i = 0; i < inst.arg_size(); ++i) {
    emulation.store(inst.getArgOperand(i), registers, i);
    sums += inst.getArgOperand(i)->getType()->isFloatTy(); // which come first
  }
  emulation.does("weft_emulated_group_wait", {registers, emulation.constant(sums),
                                              emulation.constant(underWay), emulation.site(inst)});
  if (inst.getType()->isVoidTy())
    return registers;
  return emulation.loadAll(inst.getType(), registers);
}

Value *replaceAssembly(Emulation &emulation, CallInst &inst) {
  StringRef text = cast<InlineAsm>(inst.getCalledOperand())->getAsmString();
  if (text == tanhText)
    return emulation.call("weft_emulated_tanh", emulation.builder.getFloatTy(),
                          inst.getArgOperand(0));
  if (text == narrowText)
    return narrowedPair(emulation.builder, inst.getArgOperand(1), inst.getArgOperand(0));
  if (std::optional<GroupProduct> product = GroupProduct::parsed(text))
    return multiply(emulation, inst, *product);
  if (std::optional<unsigned> underWay = GroupWait::parsed(text))
    return wait(emulation, inst, *underWay);
  return nullptr;
}

Value *replaceGroups(Emulation &emulation, IntrinsicInst &inst) {
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_wgmma_fence_sync_aligned:
    return emulation.does("weft_emulated_group_fence");
  case Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
    return emulation.does("weft_emulated_group_commit");
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned: {
    uint64_t underWay = cast<ConstantInt>(inst.getArgOperand(0))->getZExtValue();
    return emulation.does("weft_emulated_group_wait",
                          {emulation.registers(inst, Emulation::taken), emulation.constant(0),
                           emulation.constant(underWay), emulation.site(inst)});
  }
  default:
    return nullptr;
  }
}

} // namespace weft::gpu
