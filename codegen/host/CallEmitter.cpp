// An entry of a plan as a function of LLVM IR.
#include "codegen/host/CallEmitter.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft {

// Functions of more instructions are not optimized: there is little to gain between launches, and
// LLVM's time grows with the square of a block's length.
static constexpr unsigned mostOptimized = 30000;

Function *CallEmitter::emit(StringRef name, mlir::Region &region) {
  Type *pointer = builder.getPtrTy();
  Function *function =
      emission.function(name, FunctionType::get(builder.getVoidTy(), {pointer}, false));
  builder.SetInsertPoint(&function->getEntryBlock());
  call = function->getArg(0);
  sizes = field(offsetof(WeftCall, sizes), "sizes");
  loaded.clear();
  load(workTable, entry.getSlots().size());
  load(packedTable, entry.getPacked().size());
  emitBlock(region.front());
  builder.CreateRetVoid();
  if (function->getInstructionCount() > mostOptimized) {
    function->addFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::NoInline);
  }
  return function;
}

Function *CallEmitter::emitMost(const std::string &name, ArrayRef<Function *> bytes) {
  Function *function =
      emission.function(name, FunctionType::get(builder.getInt64Ty(), {builder.getPtrTy()}, false));
  builder.SetInsertPoint(&function->getEntryBlock());
  Value *most = builder.getInt64(0);
  for (Function *each : bytes)
    if (each)
      most = emit::maximum(builder, most, builder.CreateCall(each, {function->getArg(0)}));
  builder.CreateRet(most);
  return function;
}

Value *CallEmitter::field(size_t offset, const Twine &name) {
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), call, offset);
  return builder.CreateLoad(builder.getPtrTy(), place, name);
}

Value *CallEmitter::listOf(ArrayRef<Value *> buffers) {
  Value *list = emit::stackSlot(builder, builder.getPtrTy(), buffers.size(), 8);
  for (auto [i, buffer] : enumerate(buffers))
    builder.CreateStore(buffer, builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), list, i));
  return list;
}

void CallEmitter::callRuntime(StringRef name, ArrayRef<Value *> arguments) {
  SmallVector<Value *> all{call};
  llvm::append_range(all, arguments);
  SmallVector<Type *> types;
  for (Value *argument : all)
    types.push_back(argument->getType());
  builder.CreateCall(emission.module.getOrInsertFunction(
                         name, FunctionType::get(builder.getVoidTy(), types, false)),
                     all);
}

Value *CallEmitter::element(const CallTable &table, unsigned number, StringRef) {
  if (Value *known = loaded.lookup({table.offset, number}))
    return known;
  Value *all = field(table.offset, "table");
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), all, number);
  return builder.CreateLoad(builder.getPtrTy(), place);
}

void CallEmitter::load(const CallTable &table, unsigned count) {
  for (unsigned number : seq(count))
    loaded[{table.offset, number}] = element(table, number, "");
}

Value *CallEmitter::behind(Value *const &base, const Size &size, Value *const *pass) {
  Value *bytes = emission.size(builder, size, sizes);
  if (pass)
    bytes = builder.CreateMul(bytes, *pass);
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, bytes);
}

void CallEmitter::copy(Value *const &to, Value *const &from, const Size &bytes) {
  callRuntime("weft_copy", {to, from, emission.size(builder, bytes, sizes)});
}

void CallEmitter::randomKey(Value *const &key, ArrayRef<Value *> passes,
                            ArrayRef<int64_t> strides) {
  Value *first = builder.getInt64(0);
  for (auto [pass, stride] : zip(passes, strides))
    first = builder.CreateAdd(first, builder.CreateMul(pass, builder.getInt64(stride)));
  callRuntime("weft_random_key", {key, first});
}

void CallEmitter::loop(plan::LoopOp op, function_ref<void(Value *const &)> body) {
  Value *count = emission.extent(builder, op.getDim(), sizes);
  emit::loop(builder, count, [&](Value *index) {
    body(op.getReverse() ? builder.CreateSub(builder.CreateSub(count, builder.getInt64(1)), index)
                         : index);
  });
}

void emitCodeTable(StringRef symbol, ArrayRef<std::array<Constant *, 4>> rows, Module &module) {
  PointerType *pointer = PointerType::get(module.getContext(), 0);
  StructType *row = StructType::get(module.getContext(), SmallVector<Type *>(4, pointer));
  SmallVector<Constant *> constants;
  for (const auto &cells : rows)
    constants.push_back(ConstantStruct::get(row, ArrayRef(cells)));
  ArrayType *type = ArrayType::get(row, rows.size());
  new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(type, constants), symbol);
}

void emitKernelTable(StringRef symbol, ArrayRef<NamedKernel> kernels, Module &module) {
  PointerType *pointer = PointerType::get(module.getContext(), 0);
  Type *number = Type::getInt64Ty(module.getContext());
  StructType *row = StructType::get(module.getContext(), {pointer, pointer, number, pointer});
  SmallVector<Constant *> rows;
  for (const NamedKernel &kernel : kernels) {
    Constant *text = ConstantDataArray::getString(module.getContext(), kernel.name);
    auto *name = new GlobalVariable(module, text->getType(), true, GlobalValue::PrivateLinkage,
                                    text, "name");
    name->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    rows.push_back(ConstantStruct::get(
        row,
        {kernel.function, name, ConstantInt::get(number, kernel.buffers),
         kernel.rows ? static_cast<Constant *>(kernel.rows) : ConstantPointerNull::get(pointer)}));
  }
  rows.push_back(ConstantAggregateZero::get(row));
  ArrayType *type = ArrayType::get(row, rows.size());
  new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(type, rows), symbol);
}

} // namespace weft
