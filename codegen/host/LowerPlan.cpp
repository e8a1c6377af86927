// plan dialect  ==>  LLVM IR: addresses, launches and loops of every entry.
#include "codegen/host/LowerPlan.h"

#include "codegen/cpu/Kernels.h"
#include "codegen/emit/Loops.h"
#include "codegen/host/Facts.h"
#include "runtime/Abi.h"

#include "llvm/ADT/StringSet.h"
#include <cstddef>

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
class CallEmitter {
public:
  CallEmitter(cpu::Emission &emission, const StringMap<cpu::KernelFunctions> &kernels,
              const StringMap<unsigned> &parameters, plan::EntryOp entry)
      : emission(emission), kernels(kernels), parameters(parameters), entry(entry),
        builder(emission.module.getContext()) {}

  Function *emit(StringRef name, mlir::Region &region) {
    Type *pointer = builder.getPtrTy();
    Function *function =
        emission.function(name, FunctionType::get(builder.getVoidTy(), {pointer}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    call = function->getArg(0);
    sizes = field(offsetof(WeftCall, sizes), "sizes");
    slots = elements(offsetof(WeftCall, work), entry.getSlots().size());
    packed = elements(offsetof(WeftCall, packed), entry.getPacked().size());
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
    llvm::StringSet<> seen;
    entry.walk([&](plan::LaunchOp launch) {
      Function *bytes = kernels.lookup(launch.getKernel()).*bytesOf;
      if (bytes && seen.insert(launch.getKernel()).second)
        most = emit::maximum(builder, most, builder.CreateCall(bytes, {function->getArg(0)}));
    });
    builder.CreateRet(most);
    return function;
  }

  bool hasTwoLaunches() {
    return entry
        .walk([&](plan::LaunchOp launch) {
          return kernels.lookup(launch.getKernel()).join ? mlir::WalkResult::interrupt()
                                                         : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

private:
  Value *fieldAt(size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), call, offset);
  }

  /// A pointer of the call.
  Value *field(size_t offset, const Twine &name) {
    return builder.CreateLoad(builder.getPtrTy(), fieldAt(offset), name);
  }

  /// Pointer `number` of the table that the call has at `offset`.
  Value *element(size_t offset, unsigned number) {
    Value *table = field(offset, "table");
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), table, number);
    return builder.CreateLoad(builder.getPtrTy(), place);
  }
  /// The first `count` of them, which many ops name.
  SmallVector<Value *> elements(size_t offset, unsigned count) {
    return map_to_vector(seq(count), [&](unsigned number) { return element(offset, number); });
  }

  Value *bytesOn(Value *base, Value *bytes) {
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, bytes);
  }

  void emitBlock(mlir::Block &block) {
    for (mlir::Operation &op : block)
      emitOp(op);
  }

  void emitOp(mlir::Operation &op) {
    if (auto place = dyn_cast<plan::InputOp>(op))
      values[place] = element(offsetof(WeftCall, inputs), place.getNumber());
    else if (auto place = dyn_cast<plan::OutputOp>(op))
      values[place] = element(offsetof(WeftCall, outputs), place.getNumber());
    else if (auto place = dyn_cast<plan::ParameterOp>(op))
      values[place] = element(offsetof(WeftCall, parameters), parameters.lookup(place.getName()));
    else if (auto place = dyn_cast<plan::SlotOp>(op))
      values[place] = slots[place.getNumber()];
    else if (auto place = dyn_cast<plan::PackedOp>(op))
      values[place] = packed[place.getNumber()];
    else if (auto place = dyn_cast<plan::RandomKeyOp>(op))
      emitRandomKey(place);
    else if (auto offset = dyn_cast<plan::OffsetOp>(op))
      emitOffset(offset);
    else if (auto reuse = dyn_cast<plan::ReuseOp>(op))
      values[reuse] = values.lookup(reuse.getBuffer());
    else if (auto launch = dyn_cast<plan::LaunchOp>(op))
      emitLaunch(launch);
    else if (auto copy = dyn_cast<plan::CopyOp>(op))
      callRuntime("weft_copy", {values[copy.getTo()], values[copy.getFrom()],
                                emission.size(builder, copy.getBytes().getValue(), sizes)});
    else if (auto loop = dyn_cast<plan::LoopOp>(op))
      emitLoop(loop);
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

  // In the call's table of work, keys come behind the slots.
  void emitRandomKey(plan::RandomKeyOp op) {
    Value *first = builder.getInt64(0);
    for (auto [pass, stride] : zip(op.getPasses(), op.getStrides()))
      first = builder.CreateAdd(first, builder.CreateMul(values[pass], builder.getInt64(stride)));
    Value *key = element(offsetof(WeftCall, work), slots.size() + keys++);
    callRuntime("weft_random_key", {key, first});
    values[op] = key;
  }

  void emitOffset(plan::OffsetOp op) {
    Value *bytes = emission.size(builder, op.getBytes().getValue(), sizes);
    if (op.getPass())
      bytes = builder.CreateMul(bytes, values[op.getPass()]);
    values[op] = bytesOn(values[op.getBuffer()], bytes);
  }

  void emitLaunch(plan::LaunchOp op) {
    const cpu::KernelFunctions &kernel = kernels.find(op.getKernel())->second;
    SmallVector<Value *> buffers =
        map_to_vector(op.getBuffers(), [&](mlir::Value each) { return values[each]; });
    if (kernel.join)
      buffers.push_back(field(offsetof(WeftCall, shared), "shared"));
    Value *list = emit::stackSlot(builder, builder.getPtrTy(), buffers.size(), 8);
    for (auto [i, buffer] : enumerate(buffers))
      builder.CreateStore(buffer, builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), list, i));
    auto launch = [&](Function *run, Function *tasks) {
      callRuntime("weft_launch", {run, list, builder.CreateCall(tasks, {sizes})});
    };
    launch(kernel.run, kernel.tasks);
    if (kernel.join)
      launch(kernel.join, kernel.joins);
  }

  void emitLoop(plan::LoopOp op) {
    Value *count = emission.extent(builder, op.getDim(), sizes);
    emit::loop(builder, count, [&](Value *index) {
      Value *pass = op.getReverse()
                        ? builder.CreateSub(builder.CreateSub(count, builder.getInt64(1)), index)
                        : index;
      values[op.getBody().getArgument(0)] = pass;
      emitBlock(op.getBody().front());
    });
  }

  cpu::Emission &emission;
  const StringMap<cpu::KernelFunctions> &kernels;
  const StringMap<unsigned> &parameters;
  plan::EntryOp entry;
  IRBuilder<> builder;
  Value *call = nullptr, *sizes = nullptr;
  SmallVector<Value *> slots, packed;
  unsigned keys = 0;
  mlir::DenseMap<mlir::Value, Value *> values;
};
} // namespace

LogicalResult lowerPlan(mlir::ModuleOp module, cpu::Emission &emission) {
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
