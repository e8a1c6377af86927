// Each instruction that only a GPU has becomes a call, with its number; accesses to memory are
// told.
#include "codegen/gpu/Emulate.h"

#include "codegen/gpu/emulate/Emulation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft::gpu {

Value *Emulation::call(StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  SmallVector<Value *> values;
  for (Value *argument : arguments) {
    if (argument->getType()->isIntegerTy() && argument->getType()->getIntegerBitWidth() < 32)
      argument = builder.CreateZExt(argument, builder.getInt32Ty());
    if (argument->getType()->isPointerTy())
      argument = builder.CreateAddrSpaceCast(argument, builder.getPtrTy());
    types.push_back(argument->getType());
    values.push_back(argument);
  }
  return builder.CreateCall(
      module.getOrInsertFunction(name, FunctionType::get(result, types, false)), values);
}

Value *Emulation::site(Instruction &inst) {
  std::string text;
  raw_string_ostream(text) << inst;
  sites.push_back(StringRef(text).trim().str());
  return builder.getInt32(sites.size() - 1);
}

Value *Emulation::registers(Instruction &inst, Registers which) {
  constexpr unsigned most = 160; // sums of a product of four warps, and more
  Function *function = inst.getFunction();
  Value *&own = ownRegisters[{function, which}];
  if (!own) {
    IRBuilder<> entry(&*function->getEntryBlock().getFirstInsertionPt());
    own = entry.CreateAlloca(ArrayType::get(entry.getInt32Ty(), most));
  }
  return own;
}

void Emulation::store(Value *value, Value *registers, unsigned at) {
  builder.CreateStore(value, builder.CreateConstGEP1_32(builder.getInt32Ty(), registers, at));
}

Value *Emulation::load(Type *type, Value *registers, unsigned at) {
  return builder.CreateLoad(type, builder.CreateConstGEP1_32(builder.getInt32Ty(), registers, at));
}

Value *Emulation::loadAll(Type *type, Value *registers) {
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return load(type, registers, 0);
  Value *all = PoisonValue::get(type);
  for (unsigned i = 0; i < structure->getNumElements(); ++i)
    all = builder.CreateInsertValue(all, load(structure->getElementType(i), registers, i), i);
  return all;
}

namespace {

/// How memory is accessed, as the emulator wants to be told.
enum How : uint32_t { writes = 1, isAtomic = 2 };

/// What a processor has its lanes of float32 for.
bool addsOrMultiplies(const Instruction &inst) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  bool both = intrinsic && (intrinsic->getIntrinsicID() == Intrinsic::fma ||
                            intrinsic->getIntrinsicID() == Intrinsic::fmuladd);
  return both || inst.getOpcode() == Instruction::FAdd || inst.getOpcode() == Instruction::FSub ||
         inst.getOpcode() == Instruction::FMul;
}

/// An address that an access has as part of itself: another one and a number.
bool isOffset(const Instruction &inst) {
  auto *address = dyn_cast<GetElementPtrInst>(&inst);
  return address && address->hasAllConstantIndices();
}

class Rewrite {
public:
  Rewrite(Emulation &emulation, const EmulateOptions &options)
      : emulation(emulation), builder(emulation.builder), options(options) {}

  Error run() {
    if (Error error = placeShared(emulation))
      return error;
    for (Function &function : emulation.module) {
      SmallVector<Instruction *> all;
      for (Instruction &inst : instructions(function))
        all.push_back(&inst);
      if (options.accesses)
        for (BasicBlock &block : function)
          count(block);
      for (Instruction *inst : all)
        if (Error error = replace(*inst))
          return error;
    }
    SmallVector<Function *> kernels;
    for (Function &function : emulation.module)
      if (function.getCallingConv() == CallingConv::PTX_Kernel)
        kernels.push_back(&function);
    for (Function *kernel : kernels)
      wrap(*kernel);
    return Error::success();
  }

private:
  /// How many instructions a block of code has that a GPU would run.
  void count(BasicBlock &block) {
    unsigned number = 0, floats = 0;
    for (Instruction &inst : block) {
      floats += addsOrMultiplies(inst);
      number += !isa<PHINode, AddrSpaceCastInst, BitCastInst, ExtractValueInst, InsertValueInst,
                     ExtractElementInst, InsertElementInst, PtrToIntInst, IntToPtrInst>(inst) &&
                !isOffset(inst);
    }
    builder.SetInsertPoint(block.getFirstInsertionPt());
    emulation.does("weft_emulated_executes", {builder.getInt32(number), builder.getInt32(floats)});
  }

  Error replace(Instruction &inst) {
    builder.SetInsertPoint(&inst);
    const DataLayout &layout = emulation.module.getDataLayout();
    if (auto *load = dyn_cast<LoadInst>(&inst))
      touch(inst, load->getPointerOperand(), layout.getTypeStoreSize(load->getType()), 0,
            load->getAlign());
    else if (auto *store = dyn_cast<StoreInst>(&inst))
      touch(inst, store->getPointerOperand(),
            layout.getTypeStoreSize(store->getValueOperand()->getType()), writes,
            store->getAlign());
    else if (auto *atomic = dyn_cast<AtomicRMWInst>(&inst))
      replaceAtomic(inst, atomic->getPointerOperand(), layout.getTypeStoreSize(atomic->getType()),
                    atomic->getAlign(), atomic->getOrdering());
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
      replaceAtomic(inst, exchange->getPointerOperand(),
                    layout.getTypeStoreSize(exchange->getCompareOperand()->getType()),
                    exchange->getAlign(), exchange->getSuccessOrdering());
    else if (isa<FenceInst>(inst))
      emulation.does("weft_emulated_fence");
    else if (auto *call = dyn_cast<CallInst>(&inst))
      return replaceCall(*call);
    else if (inst.getType()->getScalarType()->isBFloatTy())
      return createStringError("not emulated: values of the type bfloat, which are moved as bits");
    return Error::success();
  }

  Error replaceCall(CallInst &call) {
    if (call.isInlineAsm()) {
      auto *code = cast<InlineAsm>(call.getCalledOperand());
      Value *value = replaceAssembly(emulation, call);
      if (!value)
        return createStringError("not emulated: " + code->getAsmString());
      become(call, value);
      return Error::success();
    }
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (!intrinsic || !intrinsic->getCalledFunction()->getName().starts_with("llvm.nvvm."))
      return Error::success();
    for (auto family : {replacePlaces, replaceBarriers, replaceLanes, replaceFunctions,
                        replaceMatrices, replaceCopies, replaceMbarriers, replaceGroups})
      if (Value *value = family(emulation, *intrinsic)) {
        become(call, value);
        return Error::success();
      }
    return createStringError("not emulated: " + intrinsic->getCalledFunction()->getName());
  }

  static void become(Instruction &inst, Value *value) {
    if (!inst.getType()->isVoidTy())
      inst.replaceAllUsesWith(value);
    inst.eraseFromParent();
  }

  /// Memory of a thread alone, and of nobody who writes; whatever ways led to it.
  static bool isOwn(const Value *pointer) {
    SmallVector<const Value *> bases;
    getUnderlyingObjects(pointer, bases, nullptr, /*MaxLookup=*/0);
    return all_of(bases, [](const Value *base) {
      auto *argument = dyn_cast<Argument>(base); // by value: nobody else has it
      auto *table = dyn_cast<GlobalVariable>(base);
      return isa<AllocaInst>(base) || (argument && argument->hasByValAttr()) ||
             (table && table->isConstant());
    });
  }

  void touch(Instruction &inst, Value *pointer, uint64_t bytes, uint32_t how, Align align) {
    if (!options.accesses || isOwn(pointer))
      return;
    emulation.does("weft_emulated_touch",
                   {pointer, builder.getInt32(bytes), builder.getInt32(how | Log2(align) << 8),
                    emulation.site(inst)});
  }

  void replaceAtomic(Instruction &inst, Value *pointer, uint64_t bytes, Align align,
                     AtomicOrdering ordering) {
    touch(inst, pointer, bytes, writes | isAtomic, align);
    uint32_t order = isAcquireOrStronger(ordering) | isReleaseOrStronger(ordering) << 1;
    emulation.does("weft_emulated_atomic", {pointer, builder.getInt32(order)});
  }

  /// `kernel`, which takes its arguments, behind one that takes their addresses.
  void wrap(Function &kernel) {
    std::string name = kernel.getName().str();
    kernel.setName(name + ".body");
    kernel.setCallingConv(CallingConv::C);
    kernel.setLinkage(GlobalValue::InternalLinkage);
    Type *pointer = builder.getPtrTy();
    Function *outer = Function::Create(FunctionType::get(builder.getVoidTy(), {pointer}, false),
                                       GlobalValue::ExternalLinkage, name, emulation.module);
    builder.SetInsertPoint(BasicBlock::Create(emulation.module.getContext(), "", outer));
    SmallVector<Value *> arguments;
    for (Argument &argument : kernel.args()) {
      Value *place = builder.CreateConstGEP1_64(pointer, outer->getArg(0), argument.getArgNo());
      Value *address = builder.CreateLoad(pointer, place);
      // What is handed over as a whole is read where the caller has it.
      arguments.push_back(
          argument.hasByValAttr() ? address : builder.CreateLoad(argument.getType(), address));
    }
    for (Argument &argument : kernel.args())
      argument.removeAttr(Attribute::ByVal);
    builder.CreateCall(&kernel, arguments);
    builder.CreateRetVoid();
  }

  Emulation &emulation;
  IRBuilder<> &builder;
  const EmulateOptions &options;
};
} // namespace

Expected<Sites> emulate(Module &module, const TargetMachine &machine,
                        const EmulateOptions &options) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  // What a GPU's functions say of the machine is not for this one.
  for (Function &function : module)
    for (StringRef name : {"target-cpu", "target-features"})
      function.removeFnAttr(name);
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    annotations->eraseFromParent();
  Emulation emulation(module);
  if (Error error = Rewrite(emulation, options).run())
    return std::move(error);
  return std::move(emulation.sites);
}

} // namespace weft::gpu
