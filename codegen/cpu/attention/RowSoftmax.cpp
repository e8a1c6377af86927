// Scores of a query and a block of keys become weights (Milakov, Gimelshein: arXiv:1805.02867).
#include "codegen/cpu/attention/RowSoftmax.h"

#include "codegen/cpu/tiles/Halves.h"
#include "codegen/emit/math/VectorMath.h"

#include <limits>
#include <numbers>

using namespace llvm;

namespace weft::cpu {

static Value *minusInfinity(IRBuilderBase &b) {
  return ConstantFP::getInfinity(b.getFloatTy(), /*Negative=*/true);
}

static Value *numberIn(IRBuilderBase &b, Value *base, Value *index) {
  return b.CreateLoad(b.getFloatTy(), b.CreateInBoundsGEP(b.getFloatTy(), base, index));
}

void clearState(IRBuilderBase &b, const SoftmaxState &state, Value *rows, Value *valueStride) {
  Type *single = b.getFloatTy();
  auto at = [&](Value *base, Value *index) { return b.CreateInBoundsGEP(single, base, index); };
  Value *none = Constant::getNullValue(FixedVectorType::get(single, panelWidth));
  loop(b, rows, [&](Value *row) {
    b.CreateStore(minusInfinity(b), at(state.maxima, row));
    b.CreateStore(ConstantFP::get(single, 0), at(state.weights, row));
    Value *sum = at(state.sums, b.CreateNSWMul(row, valueStride));
    loop(b, b.getInt64(0), valueStride, b.getInt64(panelWidth),
         [&](Value *column) { b.CreateAlignedStore(none, at(sum, column), Align(4)); });
  });
}

Value *factorOfSums(IRBuilderBase &b, const SoftmaxState &state, Value *row) {
  // Where all keys seen had -inf, 0 * (1 / 0) is the NaN of -inf - -inf.
  Type *single = b.getFloatTy();
  Value *none = b.CreateFCmpOEQ(numberIn(b, state.maxima, row), minusInfinity(b));
  Value *factor = b.CreateFDiv(ConstantFP::get(single, 1), numberIn(b, state.weights, row));
  return b.CreateSelect(none, ConstantFP::get(single, 0), factor);
}

Value *logSumExp(IRBuilderBase &b, const SoftmaxState &state, Value *row) {
  Value *sum = math::log(b, numberIn(b, state.weights, row));
  Value *highest = b.CreateFMul(numberIn(b, state.maxima, row),
                                ConstantFP::get(b.getFloatTy(), std::numbers::ln2));
  return b.CreateFAdd(highest, sum);
}

void addState(IRBuilderBase &b, const SoftmaxState &state, const SoftmaxState &part, Value *row,
              Value *valueStride) {
  Type *single = b.getFloatTy(), *line = FixedVectorType::get(single, panelWidth);
  auto at = [&](Value *base, Value *index) { return b.CreateInBoundsGEP(single, base, index); };
  auto load = [&](Value *place) { return b.CreateLoad(single, place); };
  Value *highest = load(at(state.maxima, row));
  Value *none = b.CreateFCmpOEQ(highest, ConstantFP::getInfinity(single, /*Negative=*/true));
  Value *shift = b.CreateSelect(none, ConstantFP::get(single, 0), highest);
  Value *factor = math::exp2(b, b.CreateFSub(load(at(part.maxima, row)), shift));
  Value *weight = at(state.weights, row);
  Value *more = b.CreateFMul(load(at(part.weights, row)), factor);
  b.CreateStore(b.CreateFAdd(load(weight), more), weight);
  Value *factors = b.CreateVectorSplat(panelWidth, factor);
  Value *start = b.CreateNSWMul(row, valueStride);
  loop(b, b.getInt64(0), valueStride, b.getInt64(panelWidth), [&](Value *column) {
    Value *number = b.CreateNSWAdd(start, column), *place = at(state.sums, number);
    Value *old = b.CreateAlignedLoad(line, place, Align(4));
    Value *term = b.CreateAlignedLoad(line, at(part.sums, number), Align(4));
    b.CreateAlignedStore(b.CreateFAdd(old, b.CreateFMul(term, factors)), place, Align(4));
  });
}

Value *RowSoftmax::at(Value *base, Value *index) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), base, index);
}

Type *RowSoftmax::lineType() const {
  return FixedVectorType::get(b.getFloatTy(), panelWidth);
}

/// The highest score of a line, which gets the scores in place of the products; those that are
/// masked become -inf. One that is kept counts as at least the lowest float, so that -inf is the
/// maximum of no key at all.
Value *RowSoftmax::maximumOf(Value *i, const ScoreTile::Part &part) {
  Value *none = ConstantFP::getInfinity(lineType(), /*Negative=*/true);
  Value *lowest = ConstantFP::get(lineType(), std::numeric_limits<float>::lowest());
  auto larger = [&](Value *x, Value *y) { return b.CreateSelect(b.CreateFCmpOGT(x, y), x, y); };
  Value *line = scores.line(i);
  Values highest =
      scores.pass(part, i, {none}, [&](Value *key, Value *kept, ArrayRef<Value *> carried) {
        Value *place = at(line, key);
        Value *score = b.CreateAlignedLoad(lineType(), place, Align(4));
        if (scores.transforms())
          score = scores.score(score, key).value;
        if (kept || scores.transforms())
          b.CreateAlignedStore(kept ? b.CreateSelect(kept, score, none) : score, place, Align(4));
        if (!kept)
          return Values{larger(score, carried[0])};
        return Values{larger(b.CreateSelect(kept, larger(score, lowest), none), carried[0])};
      });
  Type *single = b.getFloatTy();
  Value *found = math::maximumOfLanes(b, highest[0]);
  Value *scaled = b.CreateFMul(found, ConstantFP::get(single, scores.factorLeft()));
  Value *counted = larger(scaled, ConstantFP::get(single, std::numeric_limits<float>::lowest()));
  Value *nothing = ConstantFP::getInfinity(single, /*Negative=*/true);
  Value *isNone = b.CreateAnd(part.masked, b.CreateFCmpOEQ(found, nothing));
  return b.CreateSelect(isNone, nothing, counted);
}

Value *RowSoftmax::weigh(Value *i, const ScoreTile::Part &part, Value *shift) {
  Value *line = scores.line(i), *shifts = b.CreateVectorSplat(panelWidth, shift);
  auto below = [&](Value *score) -> Value * {
    // Rounded as the shift is, not by one fma: of scores beyond 2^31 what the shift was rounded by
    // is more than an exponent may be, and weights would be infinite.
    if (scores.factorLeft() != 1)
      score = b.CreateFMul(score, ConstantFP::get(lineType(), scores.factorLeft()));
    return b.CreateFSub(score, shifts);
  };
  Values total = carryingLoop(
      b, part.firstKey, part.endPanel, b.getInt64(panelWidth), {Constant::getNullValue(lineType())},
      [&](Value *key, ArrayRef<Value *> carried) {
        Value *place = at(line, key);
        Value *score = b.CreateAlignedLoad(lineType(), place, Align(4));
        Value *weight = math::exp2(b, below(score));
        Value *sum = b.CreateFAdd(carried[0], weight);
        if (scores.drops())
          weight = scores.dropped({weight}, key)[0];
        // What is narrower lies where what was read has been.
        Value *stored = narrow ? halvesOfProducts(b, weight) : weight;
        Type *element = stored->getType()->getScalarType();
        b.CreateAlignedStore(stored, b.CreateInBoundsGEP(element, line, key),
                             Align(element->getScalarSizeInBits() / 8));
        return Values{sum};
      });
  return math::sumOfLanes(b, total[0]);
}

void RowSoftmax::rescale(Value *row, Value *factor) {
  Value *factors = b.CreateVectorSplat(panelWidth, factor);
  Value *sumsOfRow = at(state.sums, b.CreateNSWMul(row, valueStride));
  loop(b, b.getInt64(0), valueStride, b.getInt64(panelWidth), [&](Value *column) {
    Value *place = at(sumsOfRow, column);
    Value *old = b.CreateAlignedLoad(lineType(), place, Align(4));
    b.CreateAlignedStore(b.CreateFMul(old, factors), place, Align(4));
  });
}

void RowSoftmax::emit(Value *row, Value *i, const ScoreTile::Part &part) {
  Value *highest = maximumOf(i, part);
  Type *single = b.getFloatTy();
  Value *before = b.CreateLoad(single, at(state.maxima, row));
  Value *rises = b.CreateFCmpOGT(highest, before);
  Value *now = b.CreateSelect(rises, highest, before);
  // Where all keys so far were masked: exp2(-inf - 0) is 0, where -inf - -inf would be NaN.
  Value *none = ConstantFP::getInfinity(single, /*Negative=*/true);
  Value *shift = b.CreateSelect(b.CreateFCmpOEQ(now, none), ConstantFP::get(single, 0), now);
  Value *sum = weigh(i, part, shift);
  Value *weight = at(state.weights, row);
  when(b, rises, [&] {
    Value *factor = math::exp2(b, b.CreateFSub(before, shift));
    b.CreateStore(now, at(state.maxima, row));
    b.CreateStore(b.CreateFMul(b.CreateLoad(single, weight), factor), weight);
    rescale(row, factor);
  });
  b.CreateStore(b.CreateFAdd(b.CreateLoad(single, weight), sum), weight);
}

} // namespace weft::cpu
