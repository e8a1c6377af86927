// What functions of floats are written with, as LLVM IR.
#include "codegen/emit/math/Parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include <cmath>

using namespace llvm;

namespace weft::emit::math {

Value *constant(Value *like, double value) {
  return ConstantFP::get(like->getType(), value);
}

Type *withElement(Type *like, Type *element) {
  auto *vector = dyn_cast<VectorType>(like);
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

Value *bits(IRBuilderBase &b, Value *x) {
  Type *element = x->getType()->getScalarType();
  return b.CreateBitCast(
      x, withElement(x->getType(), element->isDoubleTy() ? b.getInt64Ty() : b.getInt32Ty()));
}

Value *fma(IRBuilderBase &b, Value *x, Value *y, Value *z) {
  return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
}
Value *fma(IRBuilderBase &b, Value *x, double y, Value *z) {
  return fma(b, x, constant(x, y), z);
}

Value *magnitude(IRBuilderBase &b, Value *x) {
  return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
}

Value *polynomial(IRBuilderBase &b, Value *x, ArrayRef<double> c) {
  Value *p = constant(x, c.back());
  for (double k : reverse(c.drop_back()))
    p = fma(b, p, x, constant(x, k));
  return p;
}

// NaN passes: both comparisons are false, which selects x.
Value *clamp(IRBuilderBase &b, Value *x, double low, double high) {
  x = b.CreateSelect(b.CreateFCmpOLT(x, constant(x, low)), constant(x, low), x);
  return b.CreateSelect(b.CreateFCmpOGT(x, constant(x, high)), constant(x, high), x);
}

Rounded roundSum(IRBuilderBase &b, Value *x, double factor) {
  double magic = x->getType()->getScalarType()->isDoubleTy() ? magicDouble : magicFloat;
  Value *shifted = fma(b, x, factor, constant(x, magic));
  return {b.CreateFSub(shifted, constant(x, magic)), shifted};
}

Value *powerOfTwo(IRBuilderBase &b, Value *n, Type *type) {
  bool wide = type->getScalarType()->isDoubleTy();
  Value *field = b.CreateAdd(n, ConstantInt::get(n->getType(), wide ? 1023 : 127));
  return b.CreateBitCast(b.CreateShl(field, ConstantInt::get(n->getType(), wide ? 52 : 23)), type);
}

Value *withSpecialPowers(IRBuilderBase &b, Value *x, Value *y, Value *size) {
  auto isWhole = [&](Value *v) {
    return b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(Intrinsic::floor, v), v);
  };
  Value *one = constant(x, 1), *wholeY = isWhole(y);
  Value *odd = b.CreateAnd(wholeY, b.CreateNot(isWhole(b.CreateFMul(y, constant(y, 0.5)))));
  Value *signedSize = b.CreateBinaryIntrinsic(Intrinsic::copysign, size, x);
  Value *result = b.CreateSelect(odd, signedSize, size);
  Value *finiteNegative =
      b.CreateAnd(b.CreateFCmpOLT(x, constant(x, 0)), b.CreateFCmpOGT(x, constant(x, -INFINITY)));
  result =
      b.CreateSelect(b.CreateAnd(finiteNegative, b.CreateNot(wholeY)), constant(x, NAN), result);
  Value *always = b.CreateOr(b.CreateFCmpOEQ(x, one), b.CreateFCmpOEQ(y, constant(y, 0)));
  return b.CreateSelect(always, one, result);
}

ArrayRef<uint64_t> turnDigits() {
  static constexpr uint64_t digits[] = {
      0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410, 0x7f9458eaf7aef158,
      0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf, 0xba208d7d4baed121,
      0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e, 0xc7fe25fff7816603,
      0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b, 0x5d49eeb1faf97c5e,
      0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea};
  return digits;
}

GlobalVariable *constantTable(IRBuilderBase &b, StringRef name, function_ref<Constant *()> make) {
  Module &module = *b.GetInsertBlock()->getModule();
  if (GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  Constant *values = make();
  return new GlobalVariable(module, values->getType(), true, GlobalValue::PrivateLinkage, values,
                            name);
}

Value *lookUp(IRBuilderBase &b, GlobalVariable *table, Type *element, Value *index) {
  Value *place = b.CreateGEP(element, table, index);
  if (auto *lanes = dyn_cast<VectorType>(index->getType()))
    return b.CreateMaskedGather(VectorType::get(element, lanes->getElementCount()), place,
                                Align(element->getScalarSizeInBits() / 8));
  return b.CreateLoad(element, place);
}

} // namespace weft::emit::math
