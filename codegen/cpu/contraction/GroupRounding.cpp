// Scale and numbers of floats that share a scale.
#include "codegen/cpu/contraction/GroupRounding.h"

#include "ir/model/weights/WeightGroups.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::cpu {

namespace groups = model::groups;

static Constant *all(Value *like, uint32_t bits) {
  return ConstantInt::get(like->getType(), bits);
}

static Type *floatsLike(IRBuilderBase &b, Type *type) {
  auto *vector = dyn_cast<VectorType>(type);
  return vector ? VectorType::get(b.getFloatTy(), vector->getElementCount()) : b.getFloatTy();
}

Value *GroupRounding::magnitude(IRBuilderBase &builder, Value *bits) {
  return builder.CreateAnd(bits, all(bits, 0x7fffffff));
}

GroupRounding::GroupRounding(IRBuilderBase &builder, model::WeightFormat format, Value *most)
    : b(builder), format(format) {
  Type *floats = floatsLike(b, most->getType());
  Value *exact = b.CreateFDiv(b.CreateBitCast(magnitude(b, most), floats),
                              ConstantFP::get(floats, groups::mostOf(format)));
  Value *bits = b.CreateBitCast(exact, most->getType());
  Value *isTiny = b.CreateICmpULT(bits, all(most, 0x01000000)); // 2^-125
  Value *up = b.CreateAnd(b.CreateAdd(bits, all(most, 0xffff)), all(most, 0xffff0000));
  if (format == model::WeightFormat::int4) // the largest becomes -8
    up = b.CreateOr(up, b.CreateAnd(b.CreateNot(most), all(most, 0x80000000)));
  Value *isNumber = b.CreateICmpULT(magnitude(b, most), all(most, 0x7f800000));
  isZero = b.CreateOr(isTiny, b.CreateNot(isNumber));
  Value *known = b.CreateSelect(isTiny, all(most, 0), up);
  scaleBits = b.CreateSelect(isNumber, known, all(most, 0x7fc00000));
  widened = b.CreateBitCast(scaleBits, floats);
}

Value *GroupRounding::scale() const {
  return b.CreateTrunc(b.CreateLShr(scaleBits, 16), scaleBits->getType()->getWithNewBitWidth(16));
}

Value *GroupRounding::forLanesOf(Value *each, Value *floats) const {
  auto *vector = dyn_cast<FixedVectorType>(floats->getType());
  bool isOne = vector && !each->getType()->isVectorTy();
  return isOne ? b.CreateVectorSplat(vector->getNumElements(), each) : each;
}

Value *GroupRounding::numbers(Value *floats) const {
  Value *quotient = b.CreateFDiv(floats, forLanesOf(widened, floats));
  Value *whole = b.CreateUnaryIntrinsic(Intrinsic::roundeven, quotient);
  Value *zero = ConstantFP::get(floats->getType(), 0);
  Value *known = b.CreateSelect(forLanesOf(isZero, floats), zero, whole);
  auto *vector = dyn_cast<VectorType>(floats->getType());
  Type *word = b.getInt32Ty();
  Value *number =
      b.CreateFPToSI(known, vector ? VectorType::get(word, vector->getElementCount()) : word);
  if (format == model::WeightFormat::int8)
    return number;
  return b.CreateBinaryIntrinsic(Intrinsic::smin, number, all(number, 7));
}

} // namespace weft::cpu
