// What the runtime is told of kernels.
#include "codegen/gpu/Records.h"

using namespace llvm;

namespace weft::gpu {

GlobalVariable *placed(Constant *value, const Twine &name, Module &host) {
  return new GlobalVariable(host, value->getType(), true, GlobalValue::PrivateLinkage, value, name);
}

Constant *recordOf(const DeviceKernel &kernel, unsigned sizes, bool emulated, Module &host) {
  IRBuilder<> builder(host.getContext());
  Constant *name =
      placed(ConstantDataArray::getString(host.getContext(), kernel.name), "name", host);
  Constant *function = ConstantPointerNull::get(builder.getPtrTy());
  if (emulated) {
    auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    function = cast<Constant>(host.getOrInsertFunction(kernel.name, type).getCallee());
  }
  Constant *reads = ConstantPointerNull::get(builder.getPtrTy());
  if (kernel.reads) {
    SmallVector<uint32_t> numbers(kernel.reads->begin(), kernel.reads->end());
    numbers.push_back(0); // which nobody reads: an array of none would have no place
    reads = placed(ConstantDataArray::get(host.getContext(), numbers), "reads", host);
  }
  return ConstantStruct::getAnon(
      {name, function, builder.getInt32(sizes), builder.getInt32(kernel.buffers),
       builder.getInt32(kernel.shape.threads), builder.getInt32(kernel.shape.shared),
       builder.getInt32(kernel.shape.cluster), builder.getInt32(kernel.shape.maps),
       kernel.describe ? static_cast<Constant *>(kernel.describe)
                       : ConstantPointerNull::get(builder.getPtrTy()),
       reads, builder.getInt32(kernel.reads ? kernel.reads->size() : 0)});
}

} // namespace weft::gpu
