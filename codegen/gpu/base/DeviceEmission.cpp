// Functions and kernels of a device's module.
#include "codegen/gpu/base/DeviceEmission.h"

#include "codegen/gpu/instructions/Kernel.h"

using namespace llvm;

namespace weft::gpu {

static Function *create(Module &module, StringRef name, FunctionType *type,
                        GlobalValue::LinkageTypes linkage, StringRef processor) {
  Function *result = Function::Create(type, linkage, name, module);
  result->addFnAttr(Attribute::NoUnwind);
  result->addFnAttr("target-cpu", processor);
  result->addFnAttr("no-trapping-math", "true");
  BasicBlock::Create(module.getContext(), "entry", result);
  return result;
}

Function *DeviceEmission::function(StringRef name, FunctionType *type) {
  return create(module, name, type, GlobalValue::InternalLinkage, device.name);
}

unsigned DeviceEmission::sizes() const {
  unsigned count = 1; // a parameter of no bytes is none
  for (const auto &each : dims.dims)
    count = std::max<unsigned>(count, each.second.number + 1);
  return count;
}

Function *DeviceEmission::kernel(StringRef name, unsigned buffers, const LaunchShape &shape) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *whole = Type::getInt64Ty(context);
  SmallVector<Type *> parameters(3 + shape.maps, pointer);
  Function *result =
      create(module, name, FunctionType::get(Type::getVoidTy(context), parameters, false),
             GlobalValue::ExternalLinkage, device.name);
  result->setCallingConv(CallingConv::PTX_Kernel);
  Type *byValue[] = {ArrayType::get(whole, sizes()), ArrayType::get(pointer, buffers)};
  const char *words[] = {"sizes", "buffers", "scratch"};
  for (auto [i, type] : enumerate(byValue)) {
    result->addParamAttr(i, Attribute::getWithByValType(context, type));
    result->addParamAttr(i, Attribute::getWithAlignment(context, Align(8)));
    result->addParamAttr(i, Attribute::get(context, "nvvm.grid_constant"));
  }
  for (auto [i, word] : enumerate(words))
    result->getArg(i)->setName(word);
  for (unsigned map = 0; map < shape.maps; ++map)
    handsOverTensorMap(*result, 3 + map);
  result->addFnAttr("nvvm.reqntid", std::to_string(shape.threads));
  if (shape.resident)
    result->addFnAttr("nvvm.minctasm", std::to_string(shape.resident));
  if (shape.cluster > 1)
    result->addFnAttr("nvvm.cluster_dim", std::to_string(shape.cluster) + ",1,1");
  return result;
}

} // namespace weft::gpu
