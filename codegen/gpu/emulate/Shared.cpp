// Where shared variables lie in a block's memory.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace weft::gpu {

constexpr unsigned sharedSpace = 3;

Error placeShared(Emulation &emulation) {
  Module &module = emulation.module;
  IRBuilder<> &builder = emulation.builder;
  SmallVector<GlobalVariable *> shared, dynamic;
  SmallVector<Constant *> constants;
  for (GlobalVariable &each : module.globals())
    if (each.getAddressSpace() == sharedSpace) {
      // What has no size comes with the launch, and lies last.
      (each.hasInitializer() ? shared : dynamic).push_back(&each);
      constants.push_back(&each);
    }
  convertUsersOfConstantsToInstructions(constants);
  append_range(shared, dynamic);
  // What several functions use comes first in each, and lies at one place for all.
  DenseMap<GlobalVariable *, SmallSetVector<Function *, 2>> users;
  for (GlobalVariable *each : shared)
    for (User *user : each->users()) {
      auto *inst = dyn_cast<Instruction>(user);
      if (!inst || isa<PHINode>(inst))
        return createStringError("a shared variable is used in a way that is not emulated");
      users[each].insert(inst->getFunction());
    }
  uint64_t common = 0;
  DenseMap<Function *, uint64_t> ends;
  const DataLayout &layout = module.getDataLayout();
  auto isCommon = [&](GlobalVariable *each) {
    return users[each].size() != 1 ||
           users[each].front()->getCallingConv() != CallingConv::PTX_Kernel;
  };
  SmallVector<GlobalVariable *> order;
  for (bool sized : {true, false})
    for (bool forAll : {true, false})
      copy_if(shared, std::back_inserter(order), [&](GlobalVariable *each) {
        return each->hasInitializer() == sized && isCommon(each) == forAll;
      });
  for (GlobalVariable *each : order) {
    // Without a size they may share their place, behind all that has one in that kernel.
    bool goesCommon = isCommon(each);
    for (Function *function : users[each])
      ends.try_emplace(function, common);
    uint64_t offset = common;
    if (!goesCommon)
      offset = std::max(common, ends[users[each].front()]);
    else if (!each->hasInitializer())
      for (auto &[function, end] : ends)
        offset = std::max(offset, end);
    offset = alignTo(offset, each->getAlign().value_or(Align(16)));
    uint64_t end = offset + layout.getTypeAllocSize(each->getValueType());
    if (goesCommon && each->hasInitializer())
      common = end;
    else if (!goesCommon)
      ends[users[each].front()] = end;
    for (User *user : make_early_inc_range(each->users())) {
      auto *inst = cast<Instruction>(user);
      builder.SetInsertPoint(inst);
      Value *block = emulation.call("weft_emulated_shared", builder.getPtrTy(), {});
      Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), block, offset);
      inst->replaceUsesOfWith(each,
                              builder.CreateAddrSpaceCast(place, each->getType(), each->getName()));
    }
    each->eraseFromParent();
  }
  return Error::success();
}

} // namespace weft::gpu
