// A kernel of a device, with what the host computes of it.
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

static unsigned buffersOf(kernel::FusedOp op) {
  bool draws = false;
  op.getBody().walk([&](model::RandomOp) { draws = true; });
  return op.getNumOperands() + op.getNumResults() + draws;
}

KernelShell::KernelShell(kernel::FusedOp op, StringRef name, Emissions emissions, unsigned threads,
                         unsigned shared)
    : name(name), emissions(emissions), buffers(buffersOf(op)), threads(threads), shared(shared),
      kernel(emissions.device.kernel(name, buffers, threads)), builder(&kernel->getEntryBlock()) {}

Frame KernelShell::frame() {
  return {builder, emissions.device, kernel->getArg(0), kernel->getArg(1)};
}

DeviceKernel KernelShell::finish(function_ref<Value *(Frame)> blocks,
                                 function_ref<Value *(Frame)> scratch) {
  builder.CreateRetVoid();
  return {kernel->getName(),         buffers, threads, shared, count(".blocks", blocks),
          count(".scratch", scratch)};
}

Function *KernelShell::count(StringRef suffix, function_ref<Value *(Frame)> value) {
  Emission &host = emissions.host;
  LLVMContext &context = host.module.getContext();
  Type *pointer = PointerType::get(context, 0);
  Function *function = host.function(
      name + suffix.str(), FunctionType::get(Type::getInt64Ty(context), {pointer}, false));
  IRBuilder<> inside(&function->getEntryBlock());
  inside.CreateRet(
      value({inside, host, function->getArg(0), ConstantPointerNull::get(inside.getPtrTy())}));
  return function;
}

} // namespace weft::gpu
