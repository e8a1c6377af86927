// plan dialect  ==>  LLVM IR: addresses, launches and loops of every entry.
#include "codegen/host/LowerPlan.h"

#include "codegen/cpu/Kernels.h"
#include "codegen/emit/Loops.h"
#include "codegen/host/EntryEmitter.h"
#include "codegen/host/Facts.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;

namespace weft {

std::string codeTableName(cpu::Isa isa) {
  return "weft_code_" + std::to_string(static_cast<unsigned>(isa));
}

namespace {
// Functions of more instructions are not optimized: there is little to gain between launches, and
// LLVM's time grows with the square of a block's length.
constexpr unsigned mostOptimized = 30000;

/// One function of an entry that takes a WeftCall.
class CallEmitter : EntryEmitter<Value *> {
public:
  CallEmitter(cpu::IsaEmission &emission, const StringMap<cpu::KernelFunctions> &kernels,
              const StringMap<unsigned> &parameters, plan::EntryOp entry)
      : EntryEmitter(entry, parameters), emission(emission), kernels(kernels),
        builder(emission.module.getContext()) {}

  Function *emit(StringRef name, mlir::Region &region) {
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

  /// i64(sizes): bytes of scratch, or of what two launches share, as many as the kernel that needs
  /// most.
  Function *emitMost(const std::string &name, Function *cpu::KernelFunctions::*bytesOf) {
    Function *function = emission.function(
        name, FunctionType::get(builder.getInt64Ty(), {builder.getPtrTy()}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Value *most = builder.getInt64(0);
    for (mlir::StringAttr kernel : kernelsOf(entry))
      if (Function *bytes = kernels.lookup(kernel).*bytesOf)
        most = emit::maximum(builder, most, builder.CreateCall(bytes, {function->getArg(0)}));
    builder.CreateRet(most);
    return function;
  }

  bool hasTwoLaunches() {
    return any_of(kernelsOf(entry),
                  [&](mlir::StringAttr kernel) { return kernels.lookup(kernel).join; });
  }

private:
  /// A pointer of the call.
  Value *field(size_t offset, const Twine &name) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), call, offset);
    return builder.CreateLoad(builder.getPtrTy(), place, name);
  }

  Value *element(const CallTable &table, unsigned number, StringRef) override {
    if (Value *known = loaded.lookup({table.offset, number}))
      return known;
    Value *all = field(table.offset, "table");
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), all, number);
    return builder.CreateLoad(builder.getPtrTy(), place);
  }
  /// Loads the first `count` where the function begins, for many ops name them.
  void load(const CallTable &table, unsigned count) {
    for (unsigned number : seq(count))
      loaded[{table.offset, number}] = element(table, number, "");
  }

  /// Calls a function of the runtime, which gives nothing; the first argument is the call.
  void callRuntime(StringRef name, ArrayRef<Value *> arguments) {
    SmallVector<Value *> all{call};
    llvm::append_range(all, arguments);
    SmallVector<Type *> types;
    for (Value *argument : all)
      types.push_back(argument->getType());
    builder.CreateCall(emission.module.getOrInsertFunction(
                           name, FunctionType::get(builder.getVoidTy(), types, false)),
                       all);
  }

  Value *behind(Value *const &base, const Size &size, Value *const *pass) override {
    Value *bytes = emission.size(builder, size, sizes);
    if (pass)
      bytes = builder.CreateMul(bytes, *pass);
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, bytes);
  }

  void copy(Value *const &to, Value *const &from, const Size &bytes) override {
    callRuntime("weft_copy", {to, from, emission.size(builder, bytes, sizes)});
  }

  void randomKey(Value *const &key, ArrayRef<Value *> passes, ArrayRef<int64_t> strides) override {
    Value *first = builder.getInt64(0);
    for (auto [pass, stride] : zip(passes, strides))
      first = builder.CreateAdd(first, builder.CreateMul(pass, builder.getInt64(stride)));
    callRuntime("weft_random_key", {key, first});
  }

  void launch(plan::LaunchOp op, ArrayRef<Value *> buffers) override {
    const cpu::KernelFunctions &kernel = kernels.find(op.getKernel())->second;
    SmallVector<Value *> all(buffers);
    if (kernel.join)
      all.push_back(field(offsetof(WeftCall, shared), "shared"));
    Value *list = emit::stackSlot(builder, builder.getPtrTy(), all.size(), 8);
    for (auto [i, buffer] : enumerate(all))
      builder.CreateStore(buffer, builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), list, i));
    auto launch = [&](Function *run, Function *tasks) {
      callRuntime("weft_launch", {run, list, builder.CreateCall(tasks, {sizes})});
    };
    launch(kernel.run, kernel.tasks);
    if (kernel.join)
      launch(kernel.join, kernel.joins);
  }

  void loop(plan::LoopOp op, function_ref<void(Value *const &)> body) override {
    Value *count = emission.extent(builder, op.getDim(), sizes);
    emit::loop(builder, count, [&](Value *index) {
      body(op.getReverse() ? builder.CreateSub(builder.CreateSub(count, builder.getInt64(1)), index)
                           : index);
    });
  }

  cpu::IsaEmission &emission;
  const StringMap<cpu::KernelFunctions> &kernels;
  IRBuilder<> builder;
  Value *call = nullptr, *sizes = nullptr;
  DenseMap<std::pair<size_t, unsigned>, Value *> loaded; ///< by table and number
};
} // namespace

LogicalResult lowerPlan(mlir::ModuleOp module, cpu::IsaEmission &emission) {
  StringMap<cpu::KernelFunctions> kernels;
  for (auto kernel : module.getOps<plan::KernelOp>()) {
    auto fused = cast<kernel::FusedOp>(kernel.getBody().front().front());
    // Without the prefix, a kernel called `pow` would be linked to calls of the C library's pow.
    auto functions = cpu::emitKernel(fused, ("kernel." + kernel.getSymName()).str(), emission);
    if (failed(functions))
      return failure();
    kernels[kernel.getSymName()] = *functions;
  }
  StringMap<unsigned> parameters = parameterNumbers(module);
  SmallVector<Constant *> rows;
  PointerType *pointer = PointerType::get(emission.module.getContext(), 0);
  StructType *row = StructType::get(emission.module.getContext(), SmallVector<Type *>(4, pointer));
  for (auto entry : module.getOps<plan::EntryOp>()) {
    CallEmitter emitter(emission, kernels, parameters, entry);
    std::string name = entry.getSymName().str();
    Constant *prepare = ConstantPointerNull::get(pointer), *shared = prepare;
    if (!entry.getPacked().empty())
      prepare = emitter.emit(name + ".prepare", entry.getPrepare());
    if (emitter.hasTwoLaunches())
      shared = emitter.emitMost(name + ".shared", &cpu::KernelFunctions::shared);
    Constant *cells[] = {emitter.emitMost(name + ".scratch", &cpu::KernelFunctions::scratch),
                         prepare, emitter.emit(name + ".run", entry.getBody()), shared};
    rows.push_back(ConstantStruct::get(row, cells));
  }
  ArrayType *type = ArrayType::get(row, rows.size());
  new GlobalVariable(emission.module, type, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(type, rows), codeTableName(emission.isa));
  return mlir::success();
}

} // namespace weft
