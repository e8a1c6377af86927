// A module that becomes one for the emulator: what the replacements of instructions share.
#ifndef WEFT_CODEGEN_GPU_EMULATE_EMULATION_H
#define WEFT_CODEGEN_GPU_EMULATE_EMULATION_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace weft::gpu {

class Emulation {
public:
  explicit Emulation(llvm::Module &module) : module(module), builder(module.getContext()) {}

  /// A call of the emulator. Numbers of less than 32 bits are passed as 32, as C wants it.
  llvm::Value *call(llvm::StringRef name, llvm::Type *result,
                    llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Value *number(llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments = {}) {
    return call(name, builder.getInt32Ty(), arguments);
  }
  llvm::Value *does(llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments = {}) {
    return call(name, builder.getVoidTy(), arguments);
  }
  llvm::Value *constant(uint32_t value) { return builder.getInt32(value); }
  /// A number that is not 0, of 32 bits, as one bit.
  llvm::Value *truth(llvm::Value *number) {
    return builder.CreateICmpNE(number, builder.getInt32(0));
  }
  /// The number of an instruction, for messages.
  llvm::Value *site(llvm::Instruction &inst);
  /// Memory of the thread's own for numbers of 32 bits, from one store to the next load: the same
  /// for all instructions of a function, so that a warp's stacks stay in the cache.
  enum Registers { given, taken };
  llvm::Value *registers(llvm::Instruction &inst, Registers which);
  void store(llvm::Value *value, llvm::Value *registers, unsigned at);
  llvm::Value *load(llvm::Type *type, llvm::Value *registers, unsigned at);
  /// A struct of such numbers, from the first `count` registers.
  llvm::Value *loadAll(llvm::Type *type, llvm::Value *registers);

  llvm::Module &module;
  llvm::IRBuilder<> builder;
  std::vector<std::string> sites;

private:
  llvm::DenseMap<std::pair<llvm::Function *, unsigned>, llvm::Value *> ownRegisters;
};

// What takes the place of an instruction of the GPU; null if it is of another family.
llvm::Value *replacePlaces(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceBarriers(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceLanes(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceFunctions(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceMatrices(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceCopies(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceMbarriers(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceGroups(Emulation &emulation, llvm::IntrinsicInst &inst);
llvm::Value *replaceAssembly(Emulation &emulation, llvm::CallInst &inst);
/// Two floats as bf16 in an i32.
llvm::Value *narrowedPair(llvm::IRBuilder<> &builder, llvm::Value *low, llvm::Value *high);

/// Shared variables lie one behind the other in the block's memory, those of each kernel from its
/// beginning on.
llvm::Error placeShared(Emulation &emulation);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_EMULATE_EMULATION_H
