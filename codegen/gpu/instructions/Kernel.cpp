// What NVPTX is told of a kernel, and the registers that say where a thread stands.
#include "codegen/gpu/instructions/Kernel.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

Function *createKernel(Module &module, StringRef name, ArrayRef<Type *> arguments,
                       const KernelShape &shape, Builder &builder) {
  auto *type = FunctionType::get(builder.getVoidTy(), arguments, false);
  Function *kernel = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  kernel->setCallingConv(CallingConv::PTX_Kernel);
  kernel->addFnAttr("nvvm.maxntid", std::to_string(shape.threads));
  kernel->addFnAttr("nvvm.minctasm", "1");
  if (shape.cluster > 1)
    kernel->addFnAttr("nvvm.cluster_dim", std::to_string(shape.cluster) + ",1,1");
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", kernel));
  return kernel;
}

void handsOverTensorMap(Function &kernel, unsigned number) {
  LLVMContext &context = kernel.getContext();
  Type *map = ArrayType::get(Type::getInt64Ty(context), 16);
  kernel.addParamAttr(number, Attribute::getWithByValType(context, map));
  kernel.addParamAttr(number, Attribute::getWithAlignment(context, Align(64)));
  kernel.addParamAttr(number, Attribute::get(context, "nvvm.grid_constant"));
}

Value *dynamicShared(Builder &builder) {
  Function &kernel = *builder.GetInsertBlock()->getParent();
  Module &module = *kernel.getParent();
  // Its own of each kernel: one of all lies, where it is emulated, behind what any of them
  // declares.
  std::string name = ("memory_of_" + kernel.getName()).str();
  if (GlobalVariable *present = module.getNamedGlobal(name))
    return present;
  auto *type = ArrayType::get(builder.getInt8Ty(), 0);
  auto *all = new GlobalVariable(module, type, false, GlobalValue::ExternalLinkage, nullptr, name,
                                 nullptr, GlobalValue::NotThreadLocal, sharedSpace);
  all->setAlignment(Align(1024));
  return all;
}

Value *offset(Builder &builder, Value *pointer, Value *bytes) {
  return builder.CreateGEP(builder.getInt8Ty(), pointer, bytes);
}

Value *offset(Builder &builder, Value *pointer, uint64_t bytes) {
  return bytes ? offset(builder, pointer, builder.getInt32(bytes)) : pointer;
}

static Value *read(Builder &builder, Intrinsic::ID id) {
  return builder.CreateIntrinsic(id, {});
}

Value *threadOf(Builder &builder) {
  return read(builder, Intrinsic::nvvm_read_ptx_sreg_tid_x);
}

Value *laneOf(Builder &builder) {
  return read(builder, Intrinsic::nvvm_read_ptx_sreg_laneid);
}

Value *warpOf(Builder &builder) {
  Value *own = builder.CreateLShr(threadOf(builder), 5);
  return builder.CreateIntrinsic(
      Intrinsic::nvvm_shfl_sync_idx_i32,
      {builder.getInt32(~0u), own, builder.getInt32(0), builder.getInt32(lanesOfWarp - 1)});
}

/// Of a function that is a part of a kernel (DeviceEmission::kernel): its argument.
static Argument *ofPart(Builder &builder, unsigned number, unsigned axis) {
  Function &function = *builder.GetInsertBlock()->getParent();
  bool isKernel = function.getCallingConv() == CallingConv::PTX_Kernel;
  assert((isKernel || axis == 0) && "parts have their blocks along one axis");
  return isKernel ? nullptr : function.getArg(number);
}

Value *blockOf(Builder &builder, unsigned axis) {
  if (Argument *block = ofPart(builder, 3, axis))
    return block;
  const Intrinsic::ID ids[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                               Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                               Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  return read(builder, ids[axis]);
}

Value *blocksOf(Builder &builder, unsigned axis) {
  if (Argument *blocks = ofPart(builder, 4, axis))
    return blocks;
  const Intrinsic::ID ids[] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  return read(builder, ids[axis]);
}

void barrier(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, builder.getInt32(0));
}

void barrier(Builder &builder, Value *id, unsigned threads) {
  builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_count,
                          {id, builder.getInt32(threads)});
}

void arriveAtBarrier(Builder &builder, Value *id, unsigned threads) {
  builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_arrive_aligned_count,
                          {id, builder.getInt32(threads)});
}

void warpBarrier(Builder &builder, uint32_t mask) {
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, builder.getInt32(mask));
}

Value *elected(Builder &builder) {
  Value *both = builder.CreateIntrinsic(Intrinsic::nvvm_elect_sync, builder.getInt32(~0u));
  return builder.CreateExtractValue(both, 1);
}

} // namespace weft::gpu
