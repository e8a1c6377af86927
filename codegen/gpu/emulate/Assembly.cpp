// Instructions that LLVM has no name for: their texts are those of codegen/gpu/instructions.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace weft::gpu {

Value *replaceMbarriers(Emulation &, IntrinsicInst &) {
  return nullptr;
}

Value *replaceAssembly(Emulation &emulation, CallInst &inst) {
  StringRef text = cast<InlineAsm>(inst.getCalledOperand())->getAsmString();
  if (text.starts_with("tanh.approx.f32"))
    return emulation.call("weft_emulated_tanh", emulation.builder.getFloatTy(),
                          inst.getArgOperand(0));
  return nullptr;
}

} // namespace weft::gpu
