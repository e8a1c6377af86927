// Changes of LLVM IR.
#include "tests/unit/codegen/gpu/Mutation.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace weft::test {

std::vector<CallInst *> callsOf(Module &module, const std::string &name) {
  std::vector<CallInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst)) {
        StringRef own = call->isInlineAsm()
                            ? cast<InlineAsm>(call->getCalledOperand())->getAsmString()
                            : call->getCalledFunction()->getName();
        own.consume_front("llvm.nvvm.");
        if (own.starts_with(name))
          found.push_back(call);
      }
  return found;
}

CallInst *callOf(Module &module, const std::string &name, size_t which) {
  std::vector<CallInst *> all = callsOf(module, name);
  if (which < all.size())
    return all[which];
  ADD_FAILURE() << "the kernel has " << all.size() << " of " << name;
  abort();
}

void erase(CallInst *call) {
  if (!call->getType()->isVoidTy())
    call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
  call->eraseFromParent();
}

void holds(CallInst *call) {
  call->replaceAllUsesWith(ConstantInt::getTrue(call->getContext()));
  call->eraseFromParent();
}

void reads(CallInst *call, const std::string &text) {
  auto *code = cast<InlineAsm>(call->getCalledOperand());
  call->setCalledOperand(InlineAsm::get(code->getFunctionType(), text, code->getConstraintString(),
                                        code->hasSideEffects()));
}

void skip(Instruction *operation) {
  operation->replaceAllUsesWith(operation->getOperand(0));
}

void change(CallInst *call, unsigned operand, int by) {
  Value *before = call->getArgOperand(operand);
  if (auto *constant = dyn_cast<ConstantInt>(before))
    return call->setArgOperand(
        operand, ConstantInt::get(before->getType(), constant->getSExtValue() + by, true));
  IRBuilder<> builder(call);
  call->setArgOperand(operand,
                      builder.CreateAdd(before, ConstantInt::get(before->getType(), by, true)));
}

void becomes(CallInst *call, const std::string &name) {
  call->setCalledFunction(
      call->getModule()->getOrInsertFunction("llvm.nvvm." + name, call->getFunctionType()));
}

std::vector<Instruction *> instructionsOf(Module &module, unsigned opcode) {
  std::vector<Instruction *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (inst.getOpcode() == opcode)
        found.push_back(&inst);
  return found;
}

std::vector<Instruction *> allNamed(Module &module, const std::string &name) {
  std::vector<Instruction *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      StringRef own = inst.getName(); // a second one gets a number
      if (own.consume_front(name) && own.find_first_not_of("0123456789") == StringRef::npos)
        found.push_back(&inst);
    }
  return found;
}

Instruction *named(Module &module, const std::string &name, size_t which) {
  std::vector<Instruction *> found = allNamed(module, name);
  if (which < found.size())
    return found[which];
  ADD_FAILURE() << "the kernel has " << found.size() << " values `" << name << "`";
  abort();
}

void shift(Instruction *value, int by) {
  IRBuilder<> builder(value->getNextNode());
  Value *other = builder.CreateAdd(value, ConstantInt::get(value->getType(), by, true));
  value->replaceUsesWithIf(other, [&](Use &use) { return use.getUser() != other; });
}

void Mutant::expectIn(const std::string &text) const {
  SmallVector<StringRef> ways;
  StringRef(foundAs).split(ways, '|');
  EXPECT_TRUE(any_of(ways, [&](StringRef way) { return StringRef(text).contains(way); }))
      << name << ": " << text;
}

std::string firstSaid(const std::function<std::string(uint64_t seed)> &run) {
  std::string text;
  for (uint64_t seed = 0; seed < orders && text.empty(); ++seed)
    text = run(seed);
  return text;
}

} // namespace weft::test
