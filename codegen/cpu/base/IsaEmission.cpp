// The instruction sets, and functions that are compiled for one.
#include "codegen/cpu/base/IsaEmission.h"

using namespace llvm;

namespace weft::cpu {

StringRef processor(Isa isa) {
  return isa == Isa::x86_64_v3 ? "x86-64-v3" : "x86-64-v4";
}

StringRef features(Isa isa) {
  constexpr StringLiteral v3 = "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt";
  static const std::string v4 =
      (v3 + ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,-prefer-256-bit").str();
  static const std::string bf16 = v4 + ",+avx512bf16", amx = bf16 + ",+amx-tile,+amx-bf16,+prfchw";
  switch (isa) {
  case Isa::x86_64_v3:
    return v3;
  case Isa::avx512:
    return v4;
  case Isa::avx512_bf16:
    return bf16;
  case Isa::amx:
    return amx;
  }
  llvm_unreachable("no other sets");
}

Function *IsaEmission::function(StringRef name, FunctionType *type) {
  Function *result = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  result->addFnAttr(Attribute::NoUnwind);
  result->addFnAttr("target-cpu", processor(isa));
  result->addFnAttr("target-features", features(isa));
  result->addFnAttr("no-trapping-math", "true");
  if (isa != Isa::x86_64_v3)
    result->addFnAttr("prefer-vector-width", "512");
  BasicBlock::Create(module.getContext(), "entry", result);
  return result;
}

} // namespace weft::cpu
