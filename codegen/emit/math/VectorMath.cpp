// Float32 functions as LLVM IR. Coefficients are minimax (Remez, weighted for the error named
// beside them).
#include "codegen/emit/math/VectorMath.h"

#include "codegen/emit/math/Parts.h"
#include "codegen/emit/math/WideMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace llvm;

namespace weft::emit::math {

Value *sumOfLanes(IRBuilderBase &builder, Value *x) {
  Value *zero = ConstantFP::getNegativeZero(x->getType()->getScalarType());
  auto *sum = cast<Instruction>(builder.CreateFAddReduce(zero, x));
  sum->setHasAllowReassoc(true);
  return sum;
}

Value *maximumOfLanes(IRBuilderBase &builder, Value *x) {
  auto *maximum = cast<Instruction>(builder.CreateFPMaxReduce(x));
  maximum->setHasNoNaNs(true);
  return maximum;
}

namespace {

Value *whole(IRBuilderBase &b, Value *like, int64_t value) {
  return ConstantInt::getSigned(withElement(like->getType(), b.getInt32Ty()), value);
}

/// 2^(n - 1) from n + magicFloat: 0 at n = -126, infinite at n = 129.
Value *halfScale(IRBuilderBase &b, Value *shifted) {
  return powerOfTwo(b, b.CreateSub(bits(b, shifted), whole(b, shifted, 1)), shifted->getType());
}

/// e^r - 1 for |r| <= ln(2) / 2, times 2; relative error 3e-9 before rounding.
Value *twiceExpm1(IRBuilderBase &b, Value *r) {
  Value *q = polynomial(
      b, r, {1.00000001926, 0.333330354212, 0.083332404529, 0.01673804988044, 0.00279014541764});
  return fma(b, b.CreateFMul(r, r), q, b.CreateFAdd(r, r));
}

// ln 2 in two parts (Cody and Waite): the high one has 15 bits, so that its product with n is
// exact.
constexpr double ln2High = 0.693145751953125, ln2Low = 1.42860682030941723e-6;

/// x - n ln 2.
Value *reduceByLn2(IRBuilderBase &b, Value *x, Value *n) {
  return fma(b, n, -ln2Low, fma(b, n, -ln2High, x));
}

} // namespace

// e^x = 2^n e^r, 0 <= r < ln(2) but for 1e-5: then e^r is at least 1 and below 2, and neither
// overflow nor underflow needs a case of its own. What is taken off before rounding is a little
// less than a half, so that n is floor(x log2(e)) also where rounding that sum goes up: at ln of
// the largest float and of 2^-126. The polynomial of e^r: relative error 3e-9 before rounding.
Value *exp(IRBuilderBase &b, Value *x) {
  x = clamp(b, x, -87.6, 89.1);
  Value *shifted = b.CreateFAdd(fma(b, x, log2e, constant(x, -0.499995)), constant(x, magicFloat));
  Value *r = reduceByLn2(b, x, b.CreateFSub(shifted, constant(x, magicFloat)));
  Value *q = polynomial(
      b, r, {0.500002285219, 0.166631912911, 0.0418549860823, 0.00786842044351, 0.00191249055428});
  Value *p = b.CreateFAdd(fma(b, b.CreateFMul(r, r), q, r), constant(x, 1));
  return b.CreateFMul(p, powerOfTwo(b, bits(b, shifted), x->getType()));
}

// 2^f = 1 + f q(f), |f| <= 1/2; relative error 2e-9 before rounding. It is doubled and the scale
// halved, so that overflow needs no case of its own.
static Value *exp2Fraction(IRBuilderBase &b, Value *f) {
  return polynomial(b, f,
                    {2.0, 1.386294412804, 0.480453026988, 0.111006549172, 0.01923600676064,
                     0.00268008064874, 0.000309528965364});
}

Value *exp2(IRBuilderBase &b, Value *x) {
  x = clamp(b, x, -126.4, 128.6);
  Rounded n = roundSum(b, x, 1);
  return b.CreateFMul(exp2Fraction(b, b.CreateFSub(x, n.number)), halfScale(b, n.shifted));
}

// x = 2^e m, sqrt(1/2) <= m < sqrt(2); log(1 + f) = f - f²/2 + f³ P(f), relative error 6e-9 before
// rounding.
Value *log(IRBuilderBase &b, Value *x) {
  Value *raw = bits(b, x);
  Value *e = b.CreateAShr(b.CreateSub(raw, whole(b, x, 0x3f3504f3)), whole(b, x, 23));
  Value *m = b.CreateBitCast(b.CreateSub(raw, b.CreateShl(e, whole(b, x, 23))), x->getType());
  Value *f = b.CreateFSub(m, constant(x, 1)), *square = b.CreateFMul(f, f);
  Value *n = b.CreateSIToFP(e, x->getType());
  Value *p = polynomial(b, f,
                        {0.33333331708, -0.250008210099, 0.2000122703, -0.166233579544,
                         0.142017531432, -0.131601732395, 0.127616125497, -0.0763456395104});
  p = b.CreateFMul(b.CreateFMul(square, f), p);
  p = fma(b, square, -0.5, fma(b, n, ln2Low, p));
  Value *result = fma(b, n, ln2High, b.CreateFAdd(f, p));
  result =
      b.CreateSelect(b.CreateFCmpOLT(x, constant(x, 0x1p-126)), constant(x, -INFINITY), result);
  Value *keep = b.CreateFCmpUEQ(x, constant(x, INFINITY)); // infinity, and NaN
  result = b.CreateSelect(keep, x, result);
  return b.CreateSelect(b.CreateFCmpOLT(x, constant(x, 0)), constant(x, NAN), result);
}

// t = e^(2|x|) - 1, tanh = t / (t + 2): small arguments keep their digits because t does.
Value *tanh(IRBuilderBase &b, Value *x) {
  Value *twice = b.CreateFMul(magnitude(b, x), constant(x, 2));
  twice = clamp(b, twice, 0, 20);
  Rounded n = roundSum(b, twice, log2e);
  Value *half = halfScale(b, n.shifted);
  Value *wholePart = fma(b, half, 2, constant(x, -1));
  Value *t = fma(b, half, twiceExpm1(b, reduceByLn2(b, twice, n.number)), wholePart);
  Value *result = b.CreateFDiv(t, b.CreateFAdd(t, constant(x, 2)));
  return b.CreateBinaryIntrinsic(Intrinsic::copysign, result, x);
}

// Below 1: x P(x²), relative error 1.2e-9. Above: 1 - exp(-Q(|x|)), relative error 1.2e-9; 1 from 4
// on.
Value *erf(IRBuilderBase &b, Value *x) {
  Value *near =
      b.CreateFMul(x, polynomial(b, b.CreateFMul(x, x),
                                 {1.12837916573, -0.376126258242, 0.112835851485, -0.026853811931,
                                  0.00518832767868, -0.000801019356926, 7.8538611801e-5}));
  Value *t = magnitude(b, x);
  t = b.CreateSelect(b.CreateFCmpOGT(t, constant(x, 4)), constant(x, 4), t);
  Value *q = polynomial(b, t,
                        {-0.000320577382361, -1.12717163642, -0.638012239303, -0.103218182716,
                         0.0218896327371, -0.00296011177815, 0.000187604553681});
  Value *far = b.CreateFSub(constant(x, 1), exp(b, q));
  far = b.CreateBinaryIntrinsic(Intrinsic::copysign, far, x);
  return b.CreateSelect(b.CreateFCmpOGT(magnitude(b, x), constant(x, 1)), far, near);
}

Value *sqrt(IRBuilderBase &b, Value *x) {
  return b.CreateUnaryIntrinsic(Intrinsic::sqrt, x);
}

Value *rsqrt(IRBuilderBase &b, Value *x) {
  return b.CreateFDiv(constant(x, 1), sqrt(b, x));
}

// One comparison picks b where a is NaN; the second puts the NaN back.
Value *maximum(IRBuilderBase &b, Value *x, Value *y) {
  Value *larger = b.CreateSelect(b.CreateFCmpOGT(x, y), x, y);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, larger);
}

Value *minimum(IRBuilderBase &b, Value *x, Value *y) {
  Value *smaller = b.CreateSelect(b.CreateFCmpOLT(x, y), x, y);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, smaller);
}

Value *power(IRBuilderBase &b, Value *x, int64_t n) {
  if (n < 0)
    return b.CreateFDiv(constant(x, 1), power(b, x, -n));
  Value *result = nullptr;
  for (; n; n /= 2) {
    if (n % 2)
      result = result ? b.CreateFMul(result, x) : x;
    if (n > 1)
      x = b.CreateFMul(x, x);
  }
  return result ? result : constant(x, 1);
}

// log2|x| and the product with y need more than f32 holds, so both are f64: |x| = 2^e m,
// log m = 2 atanh(s), s = (m - 1) / (m + 1), relative error 3e-14.
static Value *log2Wide(IRBuilderBase &b, Value *x) {
  Value *raw = bits(b, x);
  auto word = [&](int64_t value) { return ConstantInt::getSigned(raw->getType(), value); };
  Value *e = b.CreateAShr(b.CreateSub(raw, word(0x3fe6a09e667f3bcd)), word(52));
  Value *m = b.CreateBitCast(b.CreateSub(raw, b.CreateShl(e, word(52))), x->getType());
  Value *s = b.CreateFDiv(b.CreateFSub(m, constant(x, 1)), b.CreateFAdd(m, constant(x, 1)));
  Value *z = b.CreateFMul(s, s);
  Value *r = polynomial(
      b, z, {1.0, 0.333333333379, 0.199999978074, 0.142860549795, 0.110880765451, 0.0979234674404});
  Value *n =
      b.CreateSIToFP(b.CreateTrunc(e, withElement(x->getType(), b.getInt32Ty())), x->getType());
  Value *result = fma(b, b.CreateFMul(s, constant(x, 2 * log2e)), r, n);
  result = b.CreateSelect(b.CreateFCmpOEQ(x, constant(x, 0)), constant(x, -INFINITY), result);
  return b.CreateSelect(b.CreateFCmpUEQ(x, constant(x, INFINITY)), x, result);
}

// x^y = 2^(y log2|x|), then C's special cases (C17 F.10.4.4).
Value *pow(IRBuilderBase &b, Value *x, Value *y) {
  Type *wide = withElement(x->getType(), b.getDoubleTy());
  Value *one = constant(x, 1), *size = magnitude(b, x);
  Value *z = b.CreateFMul(b.CreateFPExt(y, wide), log2Wide(b, b.CreateFPExt(size, wide)));
  z = b.CreateSelect(b.CreateFCmpOEQ(size, one), constant(z, 0), z);
  z = clamp(b, z, -200, 128.6); // 2^-200 is 0, with denormal numbers too
  Rounded n = roundSum(b, z, 1);
  Value *f = b.CreateFPTrunc(b.CreateFSub(z, n.number), x->getType());
  // By two factors, for 2^-127 is none: what they give may be as small as 2^-126.
  Value *shifted = b.CreateFAdd(b.CreateFPTrunc(n.number, x->getType()), constant(x, magicFloat));
  Value *e = b.CreateSub(bits(b, shifted), bits(b, constant(x, magicFloat)));
  e = b.CreateSub(e, whole(b, x, 1));
  Value *half = b.CreateAShr(e, whole(b, x, 1));
  Value *result = b.CreateFMul(exp2Fraction(b, f), powerOfTwo(b, half, x->getType()));
  result = b.CreateFMul(result, powerOfTwo(b, b.CreateSub(e, half), x->getType()));

  return withSpecialPowers(b, x, y, result);
}

//===-- Sine and cosine
//---------------------------------------------------------------------------===//

// From 2^24 on x is m 2^k with a whole |m| < 2^24, and m (2^k mod 2 pi) has the sine of x. The
// table holds the remainders, from the binary digits of 1 / (2 pi); the last entry serves infinity
// and NaN.
static Constant *turnRemainders(LLVMContext &context) {
  SmallVector<uint64_t> digits(reverse(turnDigits().take_front(4)));
  const APInt turn(256, digits);
  std::vector<double> table;
  for (unsigned k = 0; k <= 104; ++k) {
    int64_t fraction = turn.shl(k).extractBits(64, 192).getSExtValue();
    table.push_back(double(fraction) * 0x1p-64 * 6.2831853071795865);
  }
  table.push_back(NAN);
  return ConstantDataArray::get(context, table);
}

/// sin(x + quarters * pi / 2). The argument is reduced in f64; then sin r = r + r³ S(r²), relative
/// error 4e-9, and cos r = 1 - r²/2 + r⁴ C(r²), relative error 1e-10, |r| <= pi / 4.
static Value *sine(IRBuilderBase &b, Value *x, int64_t quarters) {
  Value *raw = bits(b, x);
  Value *field = b.CreateAnd(b.CreateLShr(raw, whole(b, x, 23)), whole(b, x, 255));
  Value *large = b.CreateICmpUGT(field, whole(b, x, 150));
  Value *power = b.CreateSelect(large, b.CreateSub(field, whole(b, x, 150)), whole(b, x, 0));
  Value *mantissa = b.CreateOr(b.CreateAnd(raw, whole(b, x, 0x807fffff)), whole(b, x, 150 << 23));
  Value *m = b.CreateSelect(large, b.CreateBitCast(mantissa, x->getType()), x);
  Value *y = b.CreateFPExt(m, withElement(x->getType(), b.getDoubleTy()));
  GlobalVariable *table =
      constantTable(b, "weft.turn.remainders", [&] { return turnRemainders(b.getContext()); });
  Value *remainder = lookUp(b, table, b.getDoubleTy(), power);
  y = b.CreateFMul(y, b.CreateSelect(large, remainder, constant(y, 1)));

  Rounded n = roundSum(b, y, 0.63661977236758138);
  Value *reduced = fma(b, n.number, -1.5707963267948966, y);
  reduced = fma(b, n.number, -6.123233995736766e-17, reduced);
  Value *r = b.CreateFPTrunc(reduced, x->getType()), *z = b.CreateFMul(r, r);
  Value *odd = polynomial(b, z, {-0.166666549367, 0.00833217768649, -0.000195172346947});
  Value *even = polynomial(b, z, {0.0416666468546, -0.001388736691, 2.44383794769e-5});
  odd = fma(b, b.CreateFMul(z, r), odd, r);
  even = fma(b, b.CreateFMul(z, z), even, fma(b, z, -0.5, constant(x, 1)));

  Value *quadrant = b.CreateTrunc(bits(b, n.shifted), raw->getType());
  quadrant = b.CreateAdd(quadrant, whole(b, x, quarters));
  Value *swap = b.CreateICmpNE(b.CreateAnd(quadrant, whole(b, x, 1)), whole(b, x, 0));
  Value *sign = b.CreateShl(b.CreateAnd(quadrant, whole(b, x, 2)), whole(b, x, 30));
  Value *result = b.CreateXor(bits(b, b.CreateSelect(swap, even, odd)), sign);
  return b.CreateBitCast(result, x->getType());
}

Value *sin(IRBuilderBase &b, Value *x) {
  return sine(b, x, 0);
}

Value *cos(IRBuilderBase &b, Value *x) {
  return sine(b, x, 1);
}

//===-- Functions of one float, by name
//---------------------------------------------------------------------------===//

const Function &function(StringRef name) {
  static constexpr Function functions[] = {
      {"exp", exp, wide::exp},    {"log", log, wide::log}, {"sqrt", sqrt, sqrt},
      {"rsqrt", rsqrt, rsqrt},    {"sin", sin, wide::sin}, {"cos", cos, wide::cos},
      {"tanh", tanh, wide::tanh}, {"erf", erf, wide::erf},
  };
  const Function *found =
      find_if(functions, [&](const Function &function) { return function.name == name; });
  if (found == std::end(functions))
    reportFatalInternalError("no code for the function " + name);
  return *found;
}

} // namespace weft::emit::math
