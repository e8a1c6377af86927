// Float64 sine and cosine as LLVM IR. Coefficients are minimax (Remez, weighted for the error named
// beside them).
#include "codegen/emit/math/Pair.h"
#include "codegen/emit/math/WideMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include <cmath>

using namespace llvm;

namespace weft::emit::math::wide {
namespace {

Value *whole(Value *like, int64_t value) {
  return ConstantInt::getSigned(like->getType(), value);
}

/// 64 zeros, then the digits of 1 / (2 pi).
GlobalVariable *digits(IRBuilderBase &b) {
  return constantTable(b, "weft.turn.digits", [&]() -> Constant * {
    SmallVector<uint64_t> words = {0};
    append_range(words, turnDigits());
    return ConstantDataArray::get(b.getContext(), words);
  });
}

/// The upper half of the product of two unsigned numbers.
Value *upperProduct(IRBuilderBase &b, Value *x, Value *y) {
  Type *type = x->getType(), *wide = withElement(type, b.getInt128Ty());
  Value *all = b.CreateMul(b.CreateZExt(x, wide), b.CreateZExt(y, wide));
  return b.CreateTrunc(b.CreateLShr(all, ConstantInt::get(wide, 64)), type);
}

/// An angle x >= 0 is `quarter` quarters of a turn and r, |r| <= pi / 4.
struct Angle {
  Value *quarter;
  Pair r;
};

/// x / (2 pi) without its whole turns, in 128 bits: x = m 2^k with a whole m < 2^53, and of the
/// digits of 1 / (2 pi) those count that 2^k puts behind the point (Payne and Hanek 1983). The
/// result is less than m 2^-192 too small, while no double comes closer than 2^-62 of a turn to a
/// quarter. Below 1/2, where digits would be asked for from before the point, x is r.
Angle reduce(IRBuilderBase &b, Value *x) {
  Value *raw = bits(b, x), *field = b.CreateLShr(raw, whole(raw, 52));
  Value *m = b.CreateOr(b.CreateAnd(raw, whole(raw, 0xfffffffffffff)), whole(raw, 1ll << 52));
  Value *first = b.CreateSub(field, whole(raw, 1075 - 64));
  first = b.CreateBinaryIntrinsic(Intrinsic::smax, first, whole(raw, 0));
  Value *word = b.CreateLShr(first, whole(raw, 6)), *shift = b.CreateAnd(first, whole(raw, 63));
  Value *given[4], *window[3];
  for (auto [i, value] : enumerate(given))
    value = lookUp(b, digits(b), b.getInt64Ty(), b.CreateAdd(word, whole(raw, i)));
  for (auto [i, value] : enumerate(window))
    value = b.CreateIntrinsic(Intrinsic::fshl, {raw->getType()}, {given[i], given[i + 1], shift});
  Value *carried = upperProduct(b, m, window[2]);
  Value *low = b.CreateAdd(b.CreateMul(m, window[1]), carried);
  Value *carry = b.CreateZExt(b.CreateICmpULT(low, carried), raw->getType());
  Value *high = b.CreateAdd(b.CreateMul(m, window[0]), upperProduct(b, m, window[1]));
  high = b.CreateAdd(high, carry);

  // The nearest quarter, and what is left in units of 2^-128 quarters, a signed number.
  Value *left = b.CreateIntrinsic(Intrinsic::fshl, {raw->getType()}, {high, low, whole(raw, 2)});
  Value *under = b.CreateShl(low, whole(raw, 2));
  Value *quarter =
      b.CreateAdd(b.CreateLShr(high, whole(raw, 62)), b.CreateLShr(left, whole(raw, 63)));
  Type *half = withElement(raw->getType(), b.getInt32Ty());
  auto upper = [&](Value *v) { return b.CreateTrunc(b.CreateLShr(v, whole(v, 32)), half); };
  auto scaled = [&](Value *part, double unit) {
    return b.CreateFMul(b.CreateUIToFP(part, x->getType()), constant(x, unit));
  };
  Value *start = b.CreateFMul(b.CreateSIToFP(upper(left), x->getType()), constant(x, 0x1p-32));
  Pair above = sum(b, start, scaled(b.CreateTrunc(left, half), 0x1p-64));
  Pair below = sum(b, scaled(upper(under), 0x1p-96), scaled(b.CreateTrunc(under, half), 0x1p-128));
  Pair all = sum(b, above.high, below.high);
  all.low = b.CreateFAdd(all.low, b.CreateFAdd(above.low, below.low));
  Pair r = product(b, all, {constant(x, 1.5707963267948966), constant(x, 6.123233995736766e-17)});

  Value *small = b.CreateFCmpOLE(x, constant(x, 0.5));
  return {b.CreateSelect(small, whole(raw, 0), quarter),
          {b.CreateSelect(small, x, r.high), b.CreateSelect(small, constant(x, 0), r.low)}};
}

/// sin(x + quarters * pi / 2). sin r = r + r³ S(r²), relative error 7e-18; cos r = 1 - r²/2 +
/// r⁴ C(r²), relative error 1e-18. `sign`, -0 or 0, is that of the argument where it matters.
Value *sine(IRBuilderBase &b, Value *x, Value *sign, int64_t quarters) {
  Angle angle = reduce(b, x);
  Value *r = angle.r.high, *low = angle.r.low, *z = b.CreateFMul(r, r), *one = constant(x, 1);
  Value *s = polynomial(b, z,
                        {-0.16666666666666632, 0.008333333333322413, -0.00019841269829807905,
                         2.7557313691946815e-06, -2.5050758119183894e-08, 1.5896795855098203e-10});
  Value *c = polynomial(b, z,
                        {0.0416666666666666, -0.0013888888888874125, 2.4801587289482828e-05,
                         -2.75573143524967e-07, 2.087572329325723e-09, -1.135964874795213e-11});
  Value *halfSquare = b.CreateFMul(z, constant(x, 0.5));
  Value *slope = b.CreateFSub(one, halfSquare); // of the sine at r, as near as its low part asks
  Value *odd = b.CreateFAdd(r, fma(b, b.CreateFMul(z, r), s, b.CreateFMul(low, slope)));
  Pair main = sum(b, one, b.CreateFNeg(halfSquare));
  Value *tail = fma(b, b.CreateFMul(z, z), c, b.CreateFNeg(b.CreateFMul(r, low)));
  Value *even = b.CreateFAdd(main.high, b.CreateFAdd(main.low, tail));

  Value *quarter = b.CreateAdd(angle.quarter, whole(angle.quarter, quarters));
  Value *swap = b.CreateICmpNE(b.CreateAnd(quarter, whole(quarter, 1)), whole(quarter, 0));
  Value *minus = b.CreateShl(b.CreateAnd(quarter, whole(quarter, 2)), whole(quarter, 62));
  Value *result = b.CreateXor(bits(b, b.CreateSelect(swap, even, odd)), minus);
  result = b.CreateBitCast(b.CreateXor(result, sign), x->getType());
  Value *finite = b.CreateFCmpOLT(x, constant(x, INFINITY));
  return b.CreateSelect(finite, result, constant(x, NAN));
}

} // namespace

Value *sin(IRBuilderBase &b, Value *x) {
  Value *raw = bits(b, x), *sign = b.CreateAnd(raw, whole(raw, INT64_MIN));
  return sine(b, magnitude(b, x), sign, 0);
}

Value *cos(IRBuilderBase &b, Value *x) {
  return sine(b, magnitude(b, x), whole(bits(b, x), 0), 1);
}

} // namespace weft::emit::math::wide
