// What the weights of a row of scores are relative to, recomputed where the logsumexp says too
// little.
#include "codegen/cpu/attention/RowStatistics.h"

#include "codegen/emit/math/VectorMath.h"

#include <cmath>
#include <numbers>

using namespace llvm;

namespace weft::cpu {

// From this magnitude on (in units of log2) a float32 has too few fractional bits for a logsumexp.
static constexpr double coarse = 64;

Value *RowStatistics::number(double value) const {
  return ConstantFP::get(b.getFloatTy(), value);
}

Value *RowStatistics::at(Value *base, Value *index) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), base, index);
}

Value *RowStatistics::load(Value *base, Value *row) const {
  return b.CreateLoad(b.getFloatTy(), at(base, row));
}

Value *RowStatistics::areCoarse() const {
  return carryingLoop(b, b.getInt64(0), rows, b.getInt64(1), {b.getFalse()},
                      [&](Value *row, ArrayRef<Value *> carried) {
                        Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, load(shifts, row));
                        Value *large = b.CreateFCmpOGT(size, number(coarse));
                        Value *finite = b.CreateFCmpOLT(size, number(INFINITY));
                        return Values{b.CreateOr(carried[0], b.CreateAnd(large, finite))};
                      })[0];
}

void RowStatistics::clear() const {
  loop(b, rows, [&](Value *row) {
    b.CreateStore(number(-INFINITY), at(shifts, row));
    b.CreateStore(number(0), at(rests, row));
  });
}

void RowStatistics::add(ScoreTile &scores, Value *i, const ScoreTile::Part &part) const {
  Value *row = b.CreateNSWAdd(part.firstRow, i), *list = scores.line(i);
  Type *lineType = FixedVectorType::get(b.getFloatTy(), panelWidth);
  Value *none = ConstantFP::getInfinity(lineType, /*Negative=*/true);
  auto score = [&](Value *key, Value *kept) {
    Value *value = b.CreateAlignedLoad(lineType, at(list, key), Align(4));
    return kept ? b.CreateSelect(kept, value, none) : value;
  };
  Values highest =
      scores.pass(part, i, {none}, [&](Value *key, Value *kept, ArrayRef<Value *> carried) {
        if (scores.transforms() || scores.factorLeft() != 1) {
          Value *place = at(list, key);
          Value *product = b.CreateAlignedLoad(lineType, place, Align(4));
          b.CreateAlignedStore(scores.score(product, key).value, place, Align(4));
        }
        Value *value = score(key, kept);
        return Values{b.CreateSelect(b.CreateFCmpOGT(value, carried[0]), value, carried[0])};
      });
  Value *found = math::maximumOfLanes(b, highest[0]), *before = load(shifts, row);
  Value *now = b.CreateSelect(b.CreateFCmpOGT(found, before), found, before);
  Value *shift = b.CreateSelect(b.CreateFCmpOEQ(now, number(-INFINITY)), number(0), now);
  Value *shiftLine = b.CreateVectorSplat(panelWidth, shift);
  Values total =
      scores.pass(part, i, {Constant::getNullValue(lineType)},
                  [&](Value *key, Value *kept, ArrayRef<Value *> carried) {
                    Value *weight = math::exp2(b, b.CreateFSub(score(key, nullptr), shiftLine));
                    if (kept)
                      weight = b.CreateSelect(kept, weight, Constant::getNullValue(lineType));
                    return Values{b.CreateFAdd(carried[0], weight)};
                  });
  Value *factor = math::exp2(b, b.CreateFSub(before, shift));
  Value *old = b.CreateFMul(load(rests, row), factor);
  b.CreateStore(b.CreateFAdd(old, math::sumOfLanes(b, total[0])), at(rests, row));
  b.CreateStore(now, at(shifts, row));
}

void RowStatistics::finish() const {
  loop(b, rows, [&](Value *row) {
    Value *sum = load(rests, row);
    Value *rest = b.CreateFMul(math::log(b, sum), number(std::numbers::log2e));
    Value *none = b.CreateFCmpOEQ(sum, number(0));
    b.CreateStore(b.CreateSelect(none, number(0), rest), at(rests, row));
  });
}

} // namespace weft::cpu
