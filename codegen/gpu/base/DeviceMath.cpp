// Functions of floats by a GPU's own approximations.
#include "codegen/gpu/base/DeviceMath.h"

#include "codegen/emit/math/Parts.h"

#include "llvm/ADT/StringSwitch.h"
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

// From 1/2 on 1 - 2 / (e^2|x| + 1), off by 2^-21 of it, for what is taken away is little more than
// half; below, where that would lose digits, x + x³ P(x²), off by 2^-24 (fitted at Chebyshev's
// nodes).
Value *hyperbolicTangent(IRBuilderBase &b, Value *x) {
  constexpr double border = 0.5, coefficients[] = {-0.333333116088, 0.133305137105,
                                                   -0.0533910541166, 0.017999218245};
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  Value *power =
      exp2Approximately(b, b.CreateFMul(size, math::constant(x, 2 * std::numbers::log2e)));
  Value *part = b.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f,
                                  {b.CreateFAdd(power, math::constant(x, 1))});
  Value *far = math::fma(b, part, -2, math::constant(x, 1));
  Value *square = b.CreateFMul(x, x);
  Value *near = math::fma(b, b.CreateFMul(x, square), math::polynomial(b, square, coefficients), x);
  return b.CreateSelect(b.CreateFCmpOLT(size, math::constant(x, border)), near,
                        b.CreateBinaryIntrinsic(Intrinsic::copysign, far, x));
}

math::Function::Code ownFunction(StringRef name) {
  return StringSwitch<math::Function::Code>(name)
      .Case("exp", exponential)
      .Case("tanh", hyperbolicTangent)
      .Default(nullptr);
}

} // namespace weft::gpu
