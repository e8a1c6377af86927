// Functions of floats by a GPU's own approximations.
#include "codegen/gpu/base/DeviceMath.h"

#include "codegen/emit/math/Parts.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <limits>
#include <numbers>

using namespace llvm;
namespace math = weft::emit::math;

namespace weft::gpu {

Value *exp2Approximately(IRBuilderBase &b, Value *x) {
  return b.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_ftz, {b.getFloatTy()}, {x});
}

// ex2 is off by 2^-22 at most (PTX ISA), but its argument is rounded: e^x = 2^y e^d, where d is
// what the rounding of y took, and so small that e^d is 1 + d. ln 2 is in two floats, for y ln 2
// meets an x that is as large.
Value *exponential(IRBuilderBase &b, Value *x) {
  constexpr double ln2 = std::numbers::ln2, high = float(ln2), low = ln2 - high;
  constexpr double least = -104, most = 88.72283172607422; // of those that are not infinite
  Value *inside =
      b.CreateMaximum(x, math::constant(x, least)); // of a NaN a NaN, by one instruction
  Value *y = b.CreateFMul(inside, math::constant(x, std::numbers::log2e));
  Value *d = math::fma(b, y, -low, math::fma(b, y, -high, inside));
  Value *power = exp2Approximately(b, y);
  Value *result = math::fma(b, power, d, power);
  Value *infinite = math::constant(x, std::numeric_limits<double>::infinity());
  return b.CreateSelect(b.CreateFCmpOGT(x, math::constant(x, most)), infinite, result);
}

math::Function::Code ownFunction(StringRef name) {
  return name == "exp" ? exponential : nullptr;
}

} // namespace weft::gpu
