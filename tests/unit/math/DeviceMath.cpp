// Every function of floats and doubles as a kernel of a GPU.
#include "DeviceMath.h"

#include "codegen/emit/math/Remainder.h"
#include "codegen/emit/math/VectorMath.h"
#include "codegen/emit/math/WideMath.h"
#include "ir/model/FloatFunctions.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace weft::test {

std::vector<DeviceFunction> deviceFunctions() {
  namespace math = emit::math;
  std::vector<DeviceFunction> all;
  auto unary = [](math::Function::Code code) {
    return [code](IRBuilderBase &b, Value *x, Value *) { return code(b, x); };
  };
  for (const model::FloatFunction &row : model::floatFunctions) {
    const math::Function &function = math::function(row.name);
    all.push_back({std::string(row.name) + "_narrow", false, unary(function.narrow)});
    all.push_back({std::string(row.name) + "_wide", true, unary(function.wide)});
  }
  all.push_back({"exp2_narrow", false, unary(math::exp2)});
  all.push_back({"pow_narrow", false, math::pow});
  all.push_back({"pow_wide", true, math::wide::pow});
  auto quotient = [](IRBuilderBase &b, Value *x, Value *y) { return b.CreateFDiv(x, y); };
  // A product and a sum of it: two roundings, unless the product may be contracted.
  auto rounded = [](IRBuilderBase &b, Value *x, Value *y) {
    return b.CreateFAdd(b.CreateFMul(x, y), x);
  };
  auto contracted = [](IRBuilderBase &b, Value *x, Value *y) {
    auto *both = b.CreateFMul(x, y), *sum = b.CreateFAdd(both, x);
    for (Value *each : {both, sum})
      cast<Instruction>(each)->setHasAllowContract(true);
    return sum;
  };
  for (auto [suffix, isDouble] : {std::pair("_narrow", false), std::pair("_wide", true)}) {
    all.push_back({std::string("remainder") + suffix, isDouble, math::remainder});
    all.push_back({std::string("maximum") + suffix, isDouble, math::maximum});
    all.push_back({std::string("minimum") + suffix, isDouble, math::minimum});
    all.push_back({std::string("quotient") + suffix, isDouble, quotient});
    all.push_back({std::string("rounded") + suffix, isDouble, rounded});
    all.push_back({std::string("contracted") + suffix, isDouble, contracted});
  }
  return all;
}

std::string devicePtx(ArrayRef<DeviceFunction> functions, const cuda::Device &device) {
  auto found = gpu::machineOf(device.name);
  if (!found) {
    ADD_FAILURE() << toString(found.takeError());
    return "";
  }
  TargetMachine *machine = found->get();
  LLVMContext context;
  Module module("math", context);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  IRBuilder<> b(context);
  Type *pointer = b.getPtrTy(1);
  for (const DeviceFunction &each : functions) {
    auto *type = FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false);
    auto *kernel = Function::Create(type, GlobalValue::ExternalLinkage, each.name, module);
    kernel->setCallingConv(CallingConv::PTX_Kernel);
    b.SetInsertPoint(BasicBlock::Create(context, "entry", kernel));
    Value *block = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {});
    Value *threads = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {});
    Value *thread = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
    Value *at = b.CreateAdd(b.CreateMul(block, threads), thread);
    Type *element = each.isDouble ? b.getDoubleTy() : b.getFloatTy();
    auto place = [&](unsigned argument) {
      return b.CreateGEP(element, kernel->getArg(argument), at);
    };
    Value *x = b.CreateLoad(element, place(0)), *y = b.CreateLoad(element, place(1));
    b.CreateStore(each.code(b, x, y), place(2));
    b.CreateRetVoid();
  }
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream)) {
    ADD_FAILURE() << problem;
    return "";
  }
  gpu::optimize(module, *machine);
  return gpu::ptxOf(module, *machine);
}

} // namespace weft::test
