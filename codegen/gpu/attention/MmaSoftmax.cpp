// The softmax of scores that lie in registers as mma.sync leaves them.
#include "codegen/gpu/attention/MmaSoftmax.h"

#include "codegen/emit/math/VectorMath.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>
#include <numbers>

using namespace llvm;
using weft::emit::Values;
namespace math = weft::emit::math;

namespace weft::gpu {

Values SoftmaxState::packed() const {
  Values all;
  for (const Sums &each : sums)
    append_range(all, each.values);
  append_range(all, highest);
  append_range(all, total);
  return all;
}

SoftmaxState SoftmaxState::of(ArrayRef<Value *> packed) {
  SoftmaxState state;
  ArrayRef<Value *> rest = packed.drop_back(4), rows = packed.take_back(4);
  for (; !rest.empty(); rest = rest.drop_front(4))
    state.sums.push_back({{rest[0], rest[1], rest[2], rest[3]}});
  state.highest = {rows[0], rows[1]};
  state.total = {rows[2], rows[3]};
  return state;
}

Value *MmaSoftmax::number(double value) const {
  return ConstantFP::get(b.getFloatTy(), value);
}

SoftmaxState MmaSoftmax::begin(unsigned sums) const {
  return {SmallVector<Sums>(sums, Sums::zero(b)),
          {number(-INFINITY), number(-INFINITY)},
          {number(0), number(0)}};
}

Value *MmaSoftmax::amongKeys(Value *value, function_ref<Value *(Value *, Value *)> combine) const {
  for (unsigned by : {2, 1}) {
    Value *other = b.CreateIntrinsic(
        Intrinsic::nvvm_shfl_sync_bfly_i32,
        {b.getInt32(-1), b.CreateBitCast(value, b.getInt32Ty()), b.getInt32(by), b.getInt32(31)});
    value = combine(value, b.CreateBitCast(other, b.getFloatTy()));
  }
  return value;
}

// ex2 is off by 2^-22 of its result at most (PTX ISA), and the product by half a last place of an
// exponent, which matters only of weights that are small beside the sum.
Value *MmaSoftmax::weight(Value *score, Value *shift) const {
  Value *exponent = b.CreateFMul(b.CreateFSub(score, shift), number(std::numbers::log2e));
  return b.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_ftz, {b.getFloatTy()}, {exponent});
}

void MmaSoftmax::weigh(SoftmaxState &state, MutableArrayRef<Sums> scores) const {
  for (unsigned half = 0; half < 2; ++half) {
    Value *before = state.highest[half], *now = before;
    for (const Sums &each : scores)
      for (unsigned i = 0; i < 2; ++i)
        now = math::maximum(b, now, each.values[2 * half + i]);
    now = amongKeys(now, [&](Value *x, Value *y) { return math::maximum(b, x, y); });
    // Where all is hidden so far, weights are exp(-inf - 0) = 0.
    Value *none = b.CreateFCmpOEQ(now, number(-INFINITY));
    Value *shift = b.CreateSelect(none, number(0), now);
    Value *factor = weight(before, shift);
    Value *total = b.CreateFMul(state.total[half], factor);
    for (Sums &each : scores)
      for (unsigned i = 0; i < 2; ++i) {
        Value *&score = each.values[2 * half + i];
        score = weight(score, shift);
        total = b.CreateFAdd(total, score);
      }
    state.highest[half] = now;
    state.total[half] = total;
    for (Sums &sums : state.sums)
      for (unsigned i = 0; i < 2; ++i)
        sums.values[2 * half + i] = b.CreateFMul(sums.values[2 * half + i], factor);
  }
}

std::pair<LeftFragment, LeftFragment> MmaSoftmax::lefts(const Sums &first,
                                                        const Sums &second) const {
  LeftFragment high, low;
  for (unsigned i = 0; i < 4; ++i) {
    const Sums &from = i < 2 ? first : second;
    Value *one = from.values[i % 2 * 2], *other = from.values[i % 2 * 2 + 1];
    Value *both = packed(b, Element::bfloat16, one, other);
    auto left = [&](Value *value, Value *bits) {
      return b.CreateFSub(value, b.CreateBitCast(bits, b.getFloatTy()));
    };
    high.registers[i] = both;
    low.registers[i] = packed(b, Element::bfloat16, left(one, b.CreateShl(both, 16)),
                              left(other, b.CreateAnd(both, b.getInt32(0xffff0000))));
  }
  return {high, low};
}

} // namespace weft::gpu
