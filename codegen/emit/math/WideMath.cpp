// Float64 functions as LLVM IR: exponentials, logarithms and what is made of them. Coefficients are
// minimax (Remez, weighted for the error named beside them).
#include "codegen/emit/math/WideMath.h"

#include "codegen/emit/math/Pair.h"

#include "llvm/IR/Intrinsics.h"
#include <cmath>

using namespace llvm;

namespace weft::emit::math::wide {
namespace {

// ln 2 in two parts (Cody and Waite): the high one has 42 bits, so that its product with an
// exponent is exact.
constexpr double ln2High = 0x1.62e42fefa38p-1, ln2Low = 0x1.ef35793c7673p-45;

Value *whole(IRBuilderBase &b, Value *like, int64_t value) {
  return ConstantInt::getSigned(withElement(like->getType(), b.getInt64Ty()), value);
}

/// e^z = 2^n (1 + r + tail), |r| <= ln(2) / 2.
struct Exponential {
  Value *n, *r, *tail;
};

/// z = n ln 2 + r, r a pair; e^r = 1 + r + r² Q(r), relative error 7e-19 also of e^r - 1.
Exponential exponential(IRBuilderBase &b, Pair z) {
  Rounded n = roundSum(b, z.high, log2e);
  Pair r = sum(b, fma(b, n.number, -ln2High, z.high), fma(b, n.number, -ln2Low, z.low));
  Value *q = polynomial(b, r.high,
                        {0.5, 0.16666666666666677, 0.0416666666666667, 0.008333333333321648,
                         0.001388888888886689, 0.00019841269886085802, 2.480158736047199e-05,
                         2.755724424921892e-06, 2.7557242820199046e-07, 2.5109023042940564e-08,
                         2.092442713995485e-09});
  Value *low = fma(b, r.low, r.high, r.low); // e^low is 1 + low
  Value *exponent = b.CreateSub(bits(b, n.shifted), bits(b, constant(z.high, magicDouble)));
  return {exponent, r.high, fma(b, b.CreateFMul(r.high, r.high), q, low)};
}

/// e^z. The power of two is multiplied in two halves, of which neither overflows.
Value *exp(IRBuilderBase &b, Pair z) {
  Value *inside = clamp(b, z.high, -746, 710);
  Value *low = b.CreateSelect(b.CreateFCmpOEQ(inside, z.high), z.low, constant(inside, 0));
  Exponential e = exponential(b, {inside, low});
  Pair main = sum(b, constant(inside, 1), e.r);
  Value *result = b.CreateFAdd(main.high, b.CreateFAdd(main.low, e.tail));
  Value *half = b.CreateAShr(e.n, whole(b, inside, 1));
  result = b.CreateFMul(result, powerOfTwo(b, half, inside->getType()));
  return b.CreateFMul(result, powerOfTwo(b, b.CreateSub(e.n, half), inside->getType()));
}

/// log x of a finite x > 0: x = 2^n m, sqrt(1/2) <= m < sqrt(2), log m = 2 atanh(s),
/// s = (m - 1) / (m + 1), atanh s = s (1 + z / 3 + z² R(z)), z = s²; R adds 2e-20. Relative error
/// 6e-20, so that a product with 745 is still exact to 5e-17.
Pair logarithm(IRBuilderBase &b, Value *x) {
  Value *tiny = b.CreateFCmpOLT(x, constant(x, 0x1p-1022));
  Value *raw = bits(b, b.CreateSelect(tiny, b.CreateFMul(x, constant(x, 0x1p54)), x));
  Value *e = b.CreateAShr(b.CreateSub(raw, whole(b, x, 0x3fe6a09e667f3bcd)), whole(b, x, 52));
  Value *m = b.CreateBitCast(b.CreateSub(raw, b.CreateShl(e, whole(b, x, 52))), x->getType());
  e = b.CreateSub(e, b.CreateSelect(tiny, whole(b, x, 54), whole(b, x, 0)));
  Value *n =
      b.CreateSIToFP(b.CreateTrunc(e, withElement(x->getType(), b.getInt32Ty())), x->getType());

  Value *one = constant(x, 1), *zero = constant(x, 0);
  Pair s = quotient(b, {b.CreateFSub(m, one), zero}, sum(b, one, m));
  Pair z = product(b, s, s);
  Pair third = product(b, z, {constant(x, 0.3333333333333333), constant(x, 1.850371707708594e-17)});
  Value *r = polynomial(b, z.high,
                        {0.19999999999999993, 0.14285714285720996, 0.11111111109083201,
                         0.09090909402099494, 0.07692280405995947, 0.06668091387888478,
                         0.05838638484213298, 0.059852020739558816});
  Pair more = sum(b, third.high, b.CreateFMul(b.CreateFMul(z.high, z.high), r));
  more.low = b.CreateFAdd(more.low, third.low);
  Pair twice{b.CreateFAdd(s.high, s.high), b.CreateFAdd(s.low, s.low)};
  Pair rest = product(b, twice, more);
  Pair small = sum(b, twice.high, rest.high);
  small.low = b.CreateFAdd(small.low, b.CreateFAdd(rest.low, twice.low));

  Pair all = sum(b, b.CreateFMul(n, constant(x, ln2High)), small.high);
  return sum(b, all.high, b.CreateFAdd(all.low, fma(b, n, ln2Low, small.low)));
}

/// The logarithm's limits, in place of what was computed of them.
Value *withLimits(IRBuilderBase &b, Value *x, Value *log) {
  log = b.CreateSelect(b.CreateFCmpOEQ(x, constant(x, 0)), constant(x, -INFINITY), log);
  return b.CreateSelect(b.CreateFCmpUEQ(x, constant(x, INFINITY)), x, log);
}

} // namespace

Value *exp(IRBuilderBase &b, Value *x) {
  return exp(b, {x, constant(x, 0)});
}

Value *log(IRBuilderBase &b, Value *x) {
  Pair log = logarithm(b, x);
  Value *result = withLimits(b, x, log.high);
  return b.CreateSelect(b.CreateFCmpOLT(x, constant(x, 0)), constant(x, NAN), result);
}

// x^y = e^(y log|x|). Where the logarithm or the product is infinite, `exp` takes no low part.
Value *pow(IRBuilderBase &b, Value *x, Value *y) {
  Value *size = magnitude(b, x);
  Pair log = logarithm(b, size);
  // 1 is 1 also to an infinite power.
  Value *power = b.CreateSelect(b.CreateFCmpOEQ(size, constant(x, 1)), constant(x, 0), y);
  Value *high = b.CreateFMul(power, withLimits(b, size, log.high));
  Value *low = fma(b, power, log.low, fma(b, power, log.high, b.CreateFNeg(high)));
  return withSpecialPowers(b, x, y, exp(b, {high, low}));
}

// t = e^(2|x|) - 1 as a pair, tanh = t / (t + 2). From 20 on it is 1.
Value *tanh(IRBuilderBase &b, Value *x) {
  Value *twice = clamp(b, b.CreateFMul(magnitude(b, x), constant(x, 2)), 0, 40);
  Exponential e = exponential(b, {twice, constant(x, 0)});
  Value *scale = powerOfTwo(b, e.n, x->getType());
  Pair t = sum(b, b.CreateFSub(scale, constant(x, 1)), b.CreateFMul(scale, e.r));
  t = sum(b, t.high, fma(b, scale, e.tail, t.low));
  Value *larger = b.CreateSelect(b.CreateFCmpOGT(t.high, constant(x, 2)), t.high, constant(x, 2));
  Value *smaller = b.CreateSelect(b.CreateFCmpOGT(t.high, constant(x, 2)), constant(x, 2), t.high);
  Pair under = sum(b, larger, smaller);
  under.low = b.CreateFAdd(under.low, t.low);
  Pair result = quotient(b, t, under);
  return b.CreateBinaryIntrinsic(Intrinsic::copysign, b.CreateFAdd(result.high, result.low), x);
}

// Below 1: x + x P(x²), relative error 1.2e-17. Above: 1 - exp(Q(|x| - 1)), error 5e-18; 1 from 6
// on.
Value *erf(IRBuilderBase &b, Value *x) {
  Value *p = polynomial(b, b.CreateFMul(x, x),
                        {0.1283791670955126, -0.3761263890318375, 0.11283791670954857,
                         -0.02686617064507289, 0.005223977624780831, -0.0008548326978740337,
                         0.00012055331036837809, -1.4925593505542952e-05, 1.6460972797427164e-06,
                         -1.6350025034390346e-07, 1.4657878695973062e-08, -1.1365661955947948e-09,
                         5.945255630074743e-11});
  Value *size = magnitude(b, x);
  Value *near = b.CreateBinaryIntrinsic(Intrinsic::copysign, fma(b, size, p, size), x);
  Value *t = clamp(b, b.CreateFSub(size, constant(x, 1)), 0, 5);
  Value *q = polynomial(b, t,
                        {-1.8496055099332482, -2.638967514234788, -0.8431072563586768,
                         -0.041561098041808124, 0.010033825374405666, -0.001977902567894854,
                         0.00023732248137538157, 2.627787543888365e-05, -2.715911334092639e-05,
                         9.608902765693123e-06, -2.059775532392607e-06, 1.428787990576157e-07,
                         9.754503081129802e-08, -5.203672721127779e-08, 1.4911049311229147e-08,
                         -2.8639429779674137e-09, 3.6823262719657733e-10, -2.8814117096080912e-11,
                         1.039039422900238e-12});
  Value *far = b.CreateFSub(constant(x, 1), exp(b, q));
  far = b.CreateBinaryIntrinsic(Intrinsic::copysign, far, x);
  return b.CreateSelect(b.CreateFCmpOGT(size, constant(x, 1)), far, near);
}

} // namespace weft::emit::math::wide
