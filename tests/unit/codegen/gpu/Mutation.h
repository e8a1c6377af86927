// Faults planted in a kernel as its builder made it.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_MUTATION_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_MUTATION_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <string>
#include <vector>

namespace weft::test {

/// The calls of intrinsics, or of assembly, whose name or text begins so, in the order of the code.
std::vector<llvm::CallInst *> callsOf(llvm::Module &module, const std::string &name);
/// The call number `which` of them; fails the test if there is none.
llvm::CallInst *callOf(llvm::Module &module, const std::string &name, size_t which = 0);
void erase(llvm::CallInst *call);
/// The whole-number operand of a call, changed by so much.
void change(llvm::CallInst *call, unsigned operand, int by);
/// `call`, of another intrinsic with the same operands.
void becomes(llvm::CallInst *call, const std::string &name);
/// The instructions of this kind, in the order of the code.
std::vector<llvm::Instruction *> instructionsOf(llvm::Module &module, unsigned opcode);

struct Mutant {
  const char *name;
  std::function<void(llvm::Module &)> plant;
  const char *foundAs; ///< a part of what the emulator says
};

/// Runs under these seeds until something is found; what is found.
std::string found(const std::function<std::string(uint64_t seed)> &run);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_MUTATION_H
