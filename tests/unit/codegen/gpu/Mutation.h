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
/// As if it had said yes at once.
void holds(llvm::CallInst *call);
/// Assembly of another text, with the same operands.
void reads(llvm::CallInst *call, const std::string &text);
/// A binary operation gives its first operand.
void skip(llvm::Instruction *operation);
/// The whole-number operand of a call, changed by so much.
void change(llvm::CallInst *call, unsigned operand, int by);
/// `call`, of another intrinsic with the same operands.
void becomes(llvm::CallInst *call, const std::string &name);
/// The instructions of this kind, in the order of the code.
std::vector<llvm::Instruction *> instructionsOf(llvm::Module &module, unsigned opcode);
/// The values that the builder named so, in the order of the code.
std::vector<llvm::Instruction *> allNamed(llvm::Module &module, const std::string &name);
/// Number `which` of them; fails the test if there is none.
llvm::Instruction *named(llvm::Module &module, const std::string &name, size_t which = 0);
/// Everyone who asks for `value` gets `value` plus `by`.
void shift(llvm::Instruction *value, int by);

struct Mutant {
  const char *name;
  std::function<void(llvm::Module &)> plant;
  const char *foundAs; ///< a part of what the emulator says; several by |, by who comes first

  /// Fails the test if `text`, which was said of the kernel with the fault, is something else.
  void expectIn(const std::string &text) const;
};

/// How many orders of warps a kernel with a fault runs in.
constexpr uint64_t orders = 12;
/// What `run` says first; "" if in no order it says anything.
std::string firstSaid(const std::function<std::string(uint64_t seed)> &run);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_MUTATION_H
