// Functions and kernels of a device's module.
#include "codegen/gpu/base/DeviceEmission.h"

#include "codegen/gpu/instructions/Kernel.h"
#include "ir/cuda/Parameters.h"

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
  return cuda::sizesOf(dims);
}

Function *DeviceEmission::kernel(StringRef name, unsigned buffers, const LaunchShape &shape) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *whole = Type::getInt64Ty(context);
  if (kind == Kind::parts) {
    assert(shape.maps == 0 && shape.cluster == 1 && "no part of another kernel");
    Type *word = Type::getInt32Ty(context);
    Type *arguments[] = {pointer, pointer, pointer, word, word};
    Function *part = function((name + "_part").str(),
                              FunctionType::get(Type::getVoidTy(context), arguments, false));
    part->addFnAttr(Attribute::AlwaysInline); // addresses of parameters are no pointers
    return part;
  }
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
