// Each instruction that only a GPU has becomes a call, with its number; accesses to memory are
// told.
#include "codegen/gpu/Emulate.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft::gpu {
namespace {

constexpr unsigned sharedSpace = 3;
/// What shuffles say of the lanes that take part: all 32 as one group.
constexpr uint64_t wholeWarp = 31, wholeWarpUp = 0;

class Emulation {
public:
  explicit Emulation(Module &module) : module(module), builder(module.getContext()) {}

  Error run() {
    if (Error error = placeShared())
      return error;
    for (Function &function : module) {
      SmallVector<Instruction *> all;
      for (Instruction &inst : instructions(function))
        all.push_back(&inst);
      for (Instruction *inst : all)
        if (Error error = replace(*inst))
          return error;
    }
    SmallVector<Function *> kernels;
    for (Function &function : module)
      if (function.getCallingConv() == CallingConv::PTX_Kernel)
        kernels.push_back(&function);
    for (Function *kernel : kernels)
      wrap(*kernel);
    return Error::success();
  }

  Sites sites;

private:
  /// Shared variables lie one behind the other in the block's memory; what has no size, which
  /// comes with the launch, last.
  Error placeShared() {
    SmallVector<GlobalVariable *> shared, dynamic;
    SmallVector<Constant *> constants;
    for (GlobalVariable &each : module.globals())
      if (each.getAddressSpace() == sharedSpace) {
        (each.hasInitializer() ? shared : dynamic).push_back(&each);
        constants.push_back(&each);
      }
    convertUsersOfConstantsToInstructions(constants);
    append_range(shared, dynamic);
    uint64_t offset = 0;
    const DataLayout &layout = module.getDataLayout();
    for (GlobalVariable *each : shared) {
      offset = alignTo(offset, each->getAlign().value_or(Align(16)));
      for (User *user : make_early_inc_range(each->users())) {
        auto *inst = dyn_cast<Instruction>(user);
        if (!inst || isa<PHINode>(inst))
          return createStringError("a shared variable is used in a way that is not emulated");
        builder.SetInsertPoint(inst);
        Value *block = call("weft_emulated_shared", builder.getPtrTy(), {});
        Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), block, offset);
        inst->replaceUsesOfWith(
            each, builder.CreateAddrSpaceCast(place, each->getType(), each->getName()));
      }
      offset += layout.getTypeAllocSize(each->getValueType());
      each->eraseFromParent();
    }
    return Error::success();
  }

  Value *call(StringRef name, Type *result, ArrayRef<Value *> arguments) {
    SmallVector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    return builder.CreateCall(
        module.getOrInsertFunction(name, FunctionType::get(result, types, false)), arguments);
  }

  /// The number of an instruction, for messages.
  Value *site(Instruction &inst) {
    std::string text;
    raw_string_ostream(text) << inst;
    sites.push_back(StringRef(text).trim().str());
    return builder.getInt16(sites.size() - 1);
  }

  Error replace(Instruction &inst) {
    builder.SetInsertPoint(&inst);
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return touch(inst, load->getPointerOperand(), load->getType(), false);
    if (auto *store = dyn_cast<StoreInst>(&inst))
      return touch(inst, store->getPointerOperand(), store->getValueOperand()->getType(), true);
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    if (!intrinsic || !intrinsic->getCalledFunction()->getName().starts_with("llvm.nvvm."))
      return Error::success();
    Value *value = valueOf(*intrinsic);
    if (!value)
      return createStringError("not emulated: " + intrinsic->getCalledFunction()->getName());
    if (!intrinsic->getType()->isVoidTy())
      intrinsic->replaceAllUsesWith(value);
    intrinsic->eraseFromParent();
    return Error::success();
  }

  /// Memory of a thread alone needs no look, nor do arguments.
  Error touch(Instruction &inst, Value *pointer, Type *type, bool writes) {
    Value *base = pointer->stripInBoundsOffsets();
    auto *argument = dyn_cast<Argument>(base);
    if (isa<AllocaInst>(base) || (argument && argument->hasByValAttr()))
      return Error::success();
    uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
    Value *address = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    call("weft_emulated_touch", builder.getVoidTy(),
         {address, builder.getInt32(bytes), builder.getInt1(writes), site(inst)});
    return Error::success();
  }

  Value *number(StringRef function, ArrayRef<Value *> arguments = {}) {
    return call(function, builder.getInt32Ty(), arguments);
  }

  /// What takes the place of an instruction of the GPU; null if nothing does.
  Value *valueOf(IntrinsicInst &inst) {
    auto axis = [&](unsigned at) { return builder.getInt32(at); };
    switch (inst.getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return number("weft_emulated_thread");
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return number("weft_emulated_threads");
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return number("weft_emulated_lane");
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return number("weft_emulated_block", axis(0));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      return number("weft_emulated_block", axis(1));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return number("weft_emulated_block", axis(2));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return number("weft_emulated_blocks", axis(0));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      return number("weft_emulated_blocks", axis(1));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return number("weft_emulated_blocks", axis(2));
    case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
      return isNumber(inst.getArgOperand(0), 0)
                 ? call("weft_emulated_barrier", builder.getVoidTy(), {site(inst)})
                 : nullptr;
    case Intrinsic::nvvm_bar_warp_sync:
      return call("weft_emulated_warp_barrier", builder.getVoidTy(),
                  {inst.getArgOperand(0), site(inst)});
    case Intrinsic::nvvm_vote_ballot_sync:
      return ballot(inst);
    case Intrinsic::nvvm_vote_any_sync:
      return builder.CreateICmpNE(ballot(inst), builder.getInt32(0));
    case Intrinsic::nvvm_vote_all_sync:
      return builder.CreateICmpEQ(ballot(inst), builder.getInt32(-1));
    case Intrinsic::nvvm_shfl_sync_idx_i32:
    case Intrinsic::nvvm_shfl_sync_idx_f32:
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32:
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32:
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32:
      return shuffle(inst);
    default:
      return nullptr;
    }
  }

  static bool isNumber(Value *value, uint64_t number) {
    auto *constant = dyn_cast<ConstantInt>(value);
    return constant && constant->getZExtValue() == number;
  }

  Value *ballot(IntrinsicInst &inst) {
    return number("weft_emulated_ballot",
                  {inst.getArgOperand(0), inst.getArgOperand(1), site(inst)});
  }

  /// The operands: who takes part, the value, by how much, and the group's bounds.
  Value *shuffle(IntrinsicInst &inst) {
    Value *mask = inst.getArgOperand(0), *value = inst.getArgOperand(1),
          *by = inst.getArgOperand(2), *lane = number("weft_emulated_lane"), *from = nullptr;
    bool up = false;
    switch (inst.getIntrinsicID()) {
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32:
      from = builder.CreateXor(lane, by);
      break;
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32:
      from = builder.CreateAdd(lane, by);
      from = builder.CreateSelect(builder.CreateICmpUGT(from, builder.getInt32(31)), lane, from);
      break;
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32:
      up = true;
      from = builder.CreateSub(lane, by);
      from = builder.CreateSelect(builder.CreateICmpUGT(by, lane), lane, from);
      break;
    default:
      from = by;
    }
    if (!isNumber(inst.getArgOperand(3), up ? wholeWarpUp : wholeWarp))
      return nullptr;
    Value *bits = builder.CreateBitCast(value, builder.getInt32Ty());
    Value *taken = number("weft_emulated_shuffle", {mask, bits, from, site(inst)});
    return builder.CreateBitCast(taken, value->getType());
  }

  /// `kernel`, which takes its arguments, behind one that takes their addresses.
  void wrap(Function &kernel) {
    std::string name = kernel.getName().str();
    kernel.setName(name + ".body");
    kernel.setCallingConv(CallingConv::C);
    kernel.setLinkage(GlobalValue::InternalLinkage);
    Type *pointer = builder.getPtrTy();
    Function *outer = Function::Create(FunctionType::get(builder.getVoidTy(), {pointer}, false),
                                       GlobalValue::ExternalLinkage, name, module);
    builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", outer));
    SmallVector<Value *> arguments;
    for (Argument &argument : kernel.args()) {
      Value *place = builder.CreateConstGEP1_64(pointer, outer->getArg(0), argument.getArgNo());
      place = builder.CreateLoad(pointer, place);
      bool byValue = argument.hasByValAttr(); // what it points to is the argument
      argument.removeAttr(Attribute::ByVal);
      arguments.push_back(byValue ? place : builder.CreateLoad(argument.getType(), place));
    }
    builder.CreateCall(&kernel, arguments);
    builder.CreateRetVoid();
  }

  Module &module;
  IRBuilder<> builder;
};
} // namespace

Expected<Sites> emulate(Module &module, const TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  // What a GPU's functions say of the machine is not for this one.
  for (Function &function : module)
    for (StringRef name : {"target-cpu", "target-features"})
      function.removeFnAttr(name);
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    annotations->eraseFromParent();
  Emulation emulation(module);
  if (Error error = emulation.run())
    return std::move(error);
  return std::move(emulation.sites);
}

} // namespace weft::gpu
