// A kernel of a device, with what the host computes of it.
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

static unsigned buffersOf(kernel::FusedOp op) {
  bool draws = false;
  op.getBody().walk([&](model::RandomOp) { draws = true; });
  return op.getNumOperands() + op.getNumResults() + draws;
}

KernelShell::KernelShell(kernel::FusedOp op, StringRef name, Emissions emissions,
                         const LaunchShape &shape)
    : name(name), emissions(emissions), buffers(buffersOf(op)), shape(shape),
      kernel(emissions.device.kernel(name, buffers, shape)), builder(&kernel->getEntryBlock()) {}

Frame KernelShell::frame() {
  return {builder, emissions.device, kernel->getArg(0), kernel->getArg(1)};
}

DeviceKernel KernelShell::finish(function_ref<Value *(Frame)> blocks,
                                 function_ref<Value *(Frame)> scratch) {
  builder.CreateRetVoid();
  assert((shape.maps > 0) == (description != nullptr) && "who copies tiles says of what");
  DeviceKernel made{kernel->getName(),
                    buffers,
                    shape,
                    count(emissions.host, ".blocks", blocks),
                    count(emissions.host, ".scratch", scratch),
                    description};
  made.reads = sizesRead(kernel->getArg(0));
  if (emissions.device.kind == DeviceEmission::Kind::parts)
    made.part = {kernel, count(emissions.device, ".blocks", blocks),
                 count(emissions.device, ".scratch", scratch)};
  return made;
}

void KernelShell::describe(function_ref<SmallVector<TensorOfMap>(Frame)> tensors) {
  Emission &host = emissions.host;
  LLVMContext &context = host.module.getContext();
  Type *pointer = PointerType::get(context, 0), *word = Type::getInt32Ty(context);
  Type *whole = Type::getInt64Ty(context);
  auto *type =
      StructType::get(context, {pointer, ArrayType::get(whole, 5), ArrayType::get(whole, 4),
                                ArrayType::get(word, 5), word, word, word});
  description =
      host.function(name + ".describe", FunctionType::get(Type::getVoidTy(context),
                                                          {pointer, pointer, pointer}, false));
  IRBuilder<> inside(&description->getEntryBlock());
  Value *maps = description->getArg(2);
  SmallVector<TensorOfMap> all =
      tensors({inside, host, description->getArg(0), description->getArg(1)});
  assert(all.size() == shape.maps);
  for (auto [number, tensor] : enumerate(all)) {
    auto store = [&](Value *value, ArrayRef<unsigned> field) {
      SmallVector<Value *> path = {inside.getInt64(number)};
      for (unsigned index : field)
        path.push_back(inside.getInt32(index));
      inside.CreateStore(value, inside.CreateInBoundsGEP(type, maps, path));
    };
    store(tensor.base, {0});
    for (auto [i, dim] : enumerate(tensor.dims)) {
      store(dim.size, {1, unsigned(i)});
      if (i > 0)
        store(dim.stride, {2, unsigned(i) - 1});
      store(inside.getInt32(dim.box), {3, unsigned(i)});
    }
    store(inside.getInt32(tensor.dims.size()), {4});
    store(inside.getInt32(tensor.elementBytes), {5});
    store(inside.getInt32(tensor.swizzle), {6});
  }
  inside.CreateRetVoid();
}

Function *KernelShell::count(Emission &emission, StringRef suffix,
                             function_ref<Value *(Frame)> value) {
  LLVMContext &context = emission.module.getContext();
  Type *pointer = PointerType::get(context, 0);
  Function *function = emission.function(
      name + suffix.str(), FunctionType::get(Type::getInt64Ty(context), {pointer}, false));
  IRBuilder<> inside(&function->getEntryBlock());
  inside.CreateRet(
      value({inside, emission, function->getArg(0), ConstantPointerNull::get(inside.getPtrTy())}));
  return function;
}

} // namespace weft::gpu
