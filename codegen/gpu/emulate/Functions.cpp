// Functions of one number, and conversions between the kinds of numbers.
#include "codegen/gpu/emulate/Emulation.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

static Value *pair(IRBuilder<> &builder, Value *low, Value *high) {
  Value *both = PoisonValue::get(FixedVectorType::get(builder.getFloatTy(), 2));
  return builder.CreateInsertElement(builder.CreateInsertElement(both, low, uint64_t(0)), high, 1);
}

// To the nearest, halves to even; NaNs stay NaNs.
Value *narrowedPair(IRBuilder<> &builder, Value *low, Value *high) {
  Value *floats = pair(builder, low, high);
  Type *wide = floats->getType()->getWithNewType(builder.getInt32Ty());
  Type *narrow = floats->getType()->getWithNewType(builder.getInt16Ty());
  auto constant = [&](uint32_t value) { return ConstantInt::get(wide, value); };
  Value *bits = builder.CreateBitCast(floats, wide);
  Value *odd = builder.CreateAnd(builder.CreateLShr(bits, constant(16)), constant(1));
  Value *rounded = builder.CreateAdd(bits, builder.CreateAdd(odd, constant(0x7fff)));
  Value *quiet = builder.CreateOr(bits, constant(0x400000));
  Value *chosen = builder.CreateSelect(builder.CreateFCmpUNO(floats, floats), quiet, rounded);
  Value *halves = builder.CreateTrunc(builder.CreateLShr(chosen, constant(16)), narrow);
  return builder.CreateBitCast(halves, builder.getInt32Ty());
}

Value *replaceFunctions(Emulation &emulation, IntrinsicInst &inst) {
  IRBuilder<> &builder = emulation.builder;
  auto function = [&](const char *name, bool flush) {
    return emulation.call(name, builder.getFloatTy(),
                          {inst.getArgOperand(0), emulation.constant(flush)});
  };
  auto plain = [&](const char *name) {
    return emulation.call(name, builder.getFloatTy(), inst.getArgOperand(0));
  };
  switch (inst.getIntrinsicID()) {
  case Intrinsic::nvvm_ex2_approx:
  case Intrinsic::nvvm_ex2_approx_ftz:
    if (!inst.getType()->isFloatTy())
      return nullptr;
    return function("weft_emulated_ex2", inst.getIntrinsicID() == Intrinsic::nvvm_ex2_approx_ftz);
  case Intrinsic::nvvm_lg2_approx_f:
    return function("weft_emulated_lg2", false);
  case Intrinsic::nvvm_lg2_approx_ftz_f:
    return function("weft_emulated_lg2", true);
  case Intrinsic::nvvm_rcp_approx_ftz_f:
    return function("weft_emulated_rcp", true);
  case Intrinsic::nvvm_rsqrt_approx_f:
    return function("weft_emulated_rsqrt", false);
  case Intrinsic::nvvm_rsqrt_approx_ftz_f:
    return function("weft_emulated_rsqrt", true);
  case Intrinsic::nvvm_sqrt_approx_f:
    return function("weft_emulated_sqrt", false);
  case Intrinsic::nvvm_sqrt_approx_ftz_f:
    return function("weft_emulated_sqrt", true);
  case Intrinsic::nvvm_sin_approx_f:
  case Intrinsic::nvvm_sin_approx_ftz_f:
    return plain("weft_emulated_sin");
  case Intrinsic::nvvm_cos_approx_f:
  case Intrinsic::nvvm_cos_approx_ftz_f:
    return plain("weft_emulated_cos");
  case Intrinsic::nvvm_f2tf32_rna:
    return emulation.number("weft_emulated_tf32", inst.getArgOperand(0));
  case Intrinsic::nvvm_ff2f16x2_rn:
    return builder.CreateFPTrunc(pair(builder, inst.getArgOperand(1), inst.getArgOperand(0)),
                                 inst.getType());
  default:
    return nullptr;
  }
}

} // namespace weft::gpu
