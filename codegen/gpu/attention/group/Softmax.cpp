// Softmax of scores that lie in registers as sums of products do.
#include "codegen/gpu/attention/group/Softmax.h"

#include "codegen/gpu/base/DeviceMath.h"

#include "codegen/emit/math/VectorMath.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>
#include <numbers>

using namespace llvm;

namespace weft::gpu {

RowStates RowStates::none(Builder &builder) {
  Value *lowest = ConstantFP::get(builder.getFloatTy(), -INFINITY);
  Value *zero = ConstantFP::get(builder.getFloatTy(), 0);
  return {{lowest, lowest}, {zero, zero}};
}

SmallVector<Value *> RowStates::carried() const {
  return {highest[0], highest[1], total[0], total[1]};
}

RowStates RowStates::of(ArrayRef<Value *> carried) {
  return {{carried[0], carried[1]}, {carried[2], carried[3]}};
}

SmallVector<LeftFragment> packedRows(Builder &builder, ArrayRef<Value *> numbers) {
  SmallVector<LeftFragment> fragments;
  for (unsigned i = 0; i < numbers.size(); i += 8) {
    LeftFragment fragment;
    for (unsigned pair = 0; pair < 4; ++pair)
      fragment.registers[pair] =
          packed(builder, Element::bfloat16, numbers[i + 2 * pair], numbers[i + 2 * pair + 1]);
    fragments.push_back(fragment);
  }
  return fragments;
}

SmallVector<Value *> leftBy(Builder &builder, ArrayRef<Value *> numbers,
                            ArrayRef<LeftFragment> fragments) {
  SmallVector<Value *> left;
  for (auto [i, number] : enumerate(numbers)) {
    Value *both = fragments[i / 8].registers[i % 8 / 2];
    // The first of two is low, and a bf16 is the upper half of a float.
    Value *bits =
        i % 2 ? builder.CreateAnd(both, builder.getInt32(0xffff0000)) : builder.CreateShl(both, 16);
    left.push_back(builder.CreateFSub(number, builder.CreateBitCast(bits, builder.getFloatTy())));
  }
  return left;
}

Value *FragmentSoftmax::number(double value) const {
  return ConstantFP::get(builder.getFloatTy(), value);
}

Value *FragmentSoftmax::fold(Value *value, function_ref<Value *(Value *, Value *)> combine) const {
  for (unsigned by : {1u, 2u})
    value =
        combine(value, builder.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_bfly_f32,
                                               {builder.getInt32(~0u), value, builder.getInt32(by),
                                                builder.getInt32(lanesOfWarp - 1)}));
  return value;
}

/// As a tree, whose branches do not wait for each other.
static Value *reduced(SmallVector<Value *> values,
                      function_ref<Value *(Value *, Value *)> combine) {
  while (values.size() > 1) {
    SmallVector<Value *> half;
    for (unsigned i = 0; i + 1 < values.size(); i += 2)
      half.push_back(combine(values[i], values[i + 1]));
    if (values.size() % 2)
      half.push_back(values.back());
    values = half;
  }
  return values[0];
}

FragmentSoftmax::Weighed FragmentSoftmax::weigh(ArrayRef<Value *> scores,
                                                const RowStates &before) const {
  auto larger = [&](Value *a, Value *b) { return builder.CreateMaxNum(a, b); };
  auto sum = [&](Value *a, Value *b) { return builder.CreateFAdd(a, b); };
  // The base is 2. What a shift of 2^31 was rounded by may be as large as the exponent of a float.
  // But from 2^30 on scores that differ differ by 32 at least: as weights, one and nothing, also by
  // a power of two as the factor, by which nothing is rounded.
  const double factorOf2 = scale * std::numbers::log2e;
  Value *base2 = number(factorOf2), *power = number(std::exp2(std::floor(std::log2(factorOf2))));
  Weighed result;
  SmallVector<Value *> &weights = result.weights;
  weights.resize(scores.size());
  for (unsigned row = 0; row < 2; ++row) {
    SmallVector<Value *> own;
    for (unsigned i = 0; i < scores.size(); ++i)
      if (rowOfRegister(i) == row)
        own.push_back(scores[i]);
    Value *highest = larger(before.highest[row], fold(reduced(own, larger), larger));
    // Where all is hidden so far, weights are 2^(-inf - 0) = 0.
    Value *none = builder.CreateFCmpOEQ(highest, number(-INFINITY));
    Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, builder.CreateFMul(highest, base2));
    Value *factor = builder.CreateSelect(builder.CreateFCmpOGE(size, number(0x1p30)), power, base2);
    Value *shift = builder.CreateSelect(none, number(0), builder.CreateFMul(highest, factor));
    auto weightOf = [&](Value *score) {
      Value *exponent = builder.CreateIntrinsic(Intrinsic::fma, {builder.getFloatTy()},
                                                {score, factor, builder.CreateFNeg(shift)});
      return exp2Approximately(builder, exponent);
    };
    // Of the shift that weights had before, as it was rounded. Where they had it by the other
    // factor they were nothing beside those of now.
    Value *shiftBefore = builder.CreateFMul(before.highest[row], factor);
    result.factor[row] = exp2Approximately(builder, builder.CreateFSub(shiftBefore, shift));
    own.clear();
    for (unsigned i = 0; i < scores.size(); ++i)
      if (rowOfRegister(i) == row)
        own.push_back(weights[i] = weightOf(scores[i]));
    result.states.highest[row] = highest;
    result.states.total[row] =
        builder.CreateIntrinsic(Intrinsic::fma, {builder.getFloatTy()},
                                {before.total[row], result.factor[row], reduced(own, sum)});
  }
  return result;
}

FragmentSoftmax::Ends FragmentSoftmax::finish(const RowStates &states) const {
  Ends ends;
  for (unsigned row = 0; row < 2; ++row) {
    Value *total =
        fold(states.total[row], [&](Value *a, Value *b) { return builder.CreateFAdd(a, b); });
    Value *empty = builder.CreateFCmpOEQ(total, number(0));
    ends.inverse[row] =
        builder.CreateSelect(empty, number(0), builder.CreateFDiv(number(1), total));
    Value *highest = builder.CreateFMul(states.highest[row], number(scale));
    Value *logsumexp = builder.CreateFAdd(highest, emit::math::log(builder, total));
    ends.logsumexp[row] = builder.CreateSelect(empty, number(-INFINITY), logsumexp);
  }
  return ends;
}

} // namespace weft::gpu
