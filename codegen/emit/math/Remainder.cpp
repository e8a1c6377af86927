// The remainder of a division of floats, as LLVM IR.
#include "codegen/emit/math/Remainder.h"

#include "codegen/emit/math/Parts.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Intrinsics.h"
#include <cmath>

using namespace llvm;

namespace weft::emit::math {
namespace {

/// How numbers of a type are written in bits.
struct Format {
  unsigned digits; ///< behind the first
  int64_t bias;

  explicit Format(Type *type)
      : digits(type->getScalarType()->isDoubleTy() ? 52 : 23),
        bias(type->getScalarType()->isDoubleTy() ? 1023 : 127) {}
};

class Division {
public:
  Division(IRBuilderBase &b, Value *x, Value *y)
      : b(b), format(x->getType()), x(x), y(y), type(x->getType()), wholes(bits(b, x)->getType()) {}

  // Long division: x = m 2^e and y = d 2^f with 1 <= m, d < 2. As many further digits of x / y as
  // a quotient holds exactly are taken at a time, until e has come down to f. No number on the way
  // is denormal, and each rest is exact: it has no digit that d has not.
  Value *emit() {
    Parts dividend = parts(x), divisor = parts(y);
    Value *ahead = b.CreateSub(dividend.exponent, divisor.exponent);
    BasicBlock *before = b.GetInsertBlock();
    BasicBlock *loop = BasicBlock::Create(b.getContext(), "rest", before->getParent());
    BasicBlock *after = BasicBlock::Create(b.getContext(), "after", before->getParent());
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    PHINode *rest = b.CreatePHI(type, 2), *left = b.CreatePHI(wholes, 2);
    rest->addIncoming(dividend.mantissa, before);
    left->addIncoming(ahead, before);
    Value *now = limited(left, format.digits - 1);
    Value *smaller = step(b.CreateFMul(rest, powerOfTwo(now)), divisor.mantissa);
    Value *less = b.CreateSub(left, now), *more = b.CreateICmpSGT(less, whole(0));
    rest->addIncoming(smaller, loop);
    left->addIncoming(less, loop);
    if (isa<VectorType>(type))
      more = b.CreateOrReduce(more);
    b.CreateCondBr(more, loop, after);
    b.SetInsertPoint(after);
    return withSpecialCases(scaled(smaller, divisor.exponent), ahead);
  }

private:
  Value *whole(int64_t value) { return ConstantInt::getSigned(wholes, value); }
  Value *shifted(Value *exponent) { return b.CreateShl(exponent, whole(format.digits)); }
  Value *powerOfTwo(Value *n) {
    return b.CreateBitCast(shifted(b.CreateAdd(n, whole(format.bias))), type);
  }
  /// Between 0 and `most`.
  Value *limited(Value *n, int64_t most) {
    n = b.CreateBinaryIntrinsic(Intrinsic::smax, n, whole(0));
    return b.CreateBinaryIntrinsic(Intrinsic::smin, n, whole(most));
  }

  struct Parts {
    Value *mantissa, *exponent;
  };
  /// |v| = mantissa 2^exponent; from the bits, so that denormal numbers count where the machine is
  /// told to ignore them.
  Parts parts(Value *v) {
    unsigned width = wholes->getScalarSizeInBits();
    Value *raw = b.CreateAnd(bits(b, v), whole(maxIntN(width)));
    Value *zeros = b.CreateBinaryIntrinsic(Intrinsic::ctlz, raw, b.getFalse());
    Value *up = limited(b.CreateSub(zeros, whole(width - 1 - format.digits)), format.digits);
    Value *digits = b.CreateShl(raw, up);
    Value *mask = whole((int64_t(1) << format.digits) - 1);
    Value *mantissa = b.CreateOr(b.CreateAnd(digits, mask), shifted(whole(format.bias)));
    Value *field = b.CreateLShr(raw, whole(format.digits));
    field = b.CreateBinaryIntrinsic(Intrinsic::smax, field, whole(1));
    return {b.CreateBitCast(mantissa, type),
            b.CreateSub(b.CreateSub(field, up), whole(format.bias))};
  }

  /// What is left of `value` < 2^digits d; the quotient may have been rounded up to the next whole
  /// number.
  Value *step(Value *value, Value *d) {
    Value *count = b.CreateUnaryIntrinsic(Intrinsic::trunc, b.CreateFDiv(value, d));
    Value *rest = fma(b, b.CreateFNeg(count), d, value);
    return b.CreateSelect(b.CreateFCmpOLT(rest, constant(rest, 0)), b.CreateFAdd(rest, d), rest);
  }

  /// value 2^n, in two halves: 2^n may be below what a power of two can be.
  Value *scaled(Value *value, Value *n) {
    Value *half = b.CreateAShr(n, whole(1));
    value = b.CreateFMul(value, powerOfTwo(half));
    return b.CreateFMul(value, powerOfTwo(b.CreateSub(n, half)));
  }

  Value *withSpecialCases(Value *rest, Value *ahead) {
    Value *infinite = constant(x, INFINITY), *sizeX = magnitude(b, x), *sizeY = magnitude(b, y);
    rest = b.CreateBinaryIntrinsic(Intrinsic::copysign, rest, x);
    Value *none = b.CreateICmpSLT(ahead, whole(0));
    rest = b.CreateSelect(none, x, rest);
    Value *wrong = b.CreateFCmpUEQ(sizeX, infinite); // infinite, or NaN
    wrong = b.CreateOr(wrong, b.CreateFCmpUNO(y, y));
    wrong = b.CreateOr(wrong, b.CreateICmpEQ(bits(b, sizeY), whole(0)));
    return b.CreateSelect(wrong, constant(x, NAN), rest);
  }

  IRBuilderBase &b;
  Format format;
  Value *x, *y;
  Type *type, *wholes;
};

} // namespace

Value *remainder(IRBuilderBase &b, Value *x, Value *y) {
  return Division(b, x, y).emit();
}

} // namespace weft::emit::math
