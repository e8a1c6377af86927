// The accumulators of a reduction.
#include "codegen/rows/RowReduction.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/math/VectorMath.h"

#include <cmath>

using namespace llvm;

namespace weft::rows {

static Type *withLanes(Type *element, unsigned lanes) {
  return lanes == 1 ? element : FixedVectorType::get(element, lanes);
}

/// The lower half of a vector's lanes, and the upper.
static std::pair<Value *, Value *> halves(IRBuilderBase &builder, Value *vector) {
  int lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
  SmallVector<int> low = to_vector(seq<int>(0, lanes / 2)),
                   high = to_vector(seq<int>(lanes / 2, lanes));
  return {builder.CreateShuffleVector(vector, low), builder.CreateShuffleVector(vector, high)};
}

/// All lanes combined into a scalar, pairwise, as a tree.
template <class Combine>
static Value *tree(IRBuilderBase &builder, Value *vector, Combine combine) {
  while (isa<FixedVectorType>(vector->getType()) &&
         cast<FixedVectorType>(vector->getType())->getNumElements() > 1) {
    auto [low, high] = halves(builder, vector);
    vector = combine(low, high);
  }
  return vector->getType()->isVectorTy() ? builder.CreateExtractElement(vector, uint64_t(0))
                                         : vector;
}

//===-- Reduction
//-----------------------------------------------------------------------------------===//

Reduction::Reduction(IRBuilderBase &builder, mlir::Operation *op, Numbers numbers, bool exact)
    : builder(builder), op(op) {
  mlir::Type given = model::typeOf(op->getOperand(0)).getElement();
  element = numbers.type(builder.getContext(), given);
  resultElement = numbers.type(builder.getContext(), model::typeOf(op->getResult(0)).getElement());
  if (exact && isa<model::SumOp>(op) && given.isF32())
    element = builder.getDoubleTy();
}

Value *Reduction::identity(unsigned lanes) const {
  Type *type = withLanes(element, lanes);
  if (isa<model::SumOp>(op))
    return Constant::getNullValue(type);
  bool smallest = !isa<model::ReduceMinOp>(op);
  if (element->isFloatingPointTy())
    return ConstantFP::getInfinity(type, smallest);
  unsigned bits = element->getScalarSizeInBits();
  return ConstantInt::get(type, smallest ? APInt::getSignedMinValue(bits)
                                         : APInt::getSignedMaxValue(bits));
}

Value *Reduction::combine(Value *sum, Value *value) const {
  bool isFloat = element->isFloatingPointTy();
  if (isa<model::SumOp>(op)) {
    IRBuilderBase::FastMathFlagGuard guard(builder);
    FastMathFlags flags;
    flags.setAllowContract();
    builder.setFastMathFlags(flags);
    return isFloat ? builder.CreateFAdd(sum, value) : builder.CreateAdd(sum, value);
  }
  if (isa<model::ReduceMinOp>(op))
    return isFloat ? math::minimum(builder, sum, value)
                   : builder.CreateBinaryIntrinsic(Intrinsic::smin, sum, value);
  return isFloat ? math::maximum(builder, sum, value)
                 : builder.CreateBinaryIntrinsic(Intrinsic::smax, sum, value);
}

Value *Reduction::term(Value *value, unsigned lanes, Value *tail) const {
  value = ElementwiseEmitter::splat(builder, value, lanes);
  if (element->isFloatingPointTy())
    value = builder.CreateFPCast(value, withLanes(element, lanes));
  return tail ? builder.CreateSelect(tail, value, identity(lanes)) : value;
}

Value *Reduction::result(Value *sum) const {
  auto *vector = dyn_cast<FixedVectorType>(sum->getType());
  if (!resultElement->isFloatingPointTy())
    return sum;
  return builder.CreateFPCast(sum, withLanes(resultElement, vector ? vector->getNumElements() : 1));
}

Value *Reduction::acrossLanes(Value *sum) const {
  return tree(builder, sum, [&](Value *a, Value *b) { return combine(a, b); });
}

//===-- Accumulator
//-----------------------------------------------------------------------------------===//

Accumulator::Accumulator(IRBuilderBase &builder, const Reduction &reduction, bool isArgMax,
                         unsigned blocks, unsigned lanes)
    : builder(builder), reduction(reduction), isArgMax(isArgMax), lanes(lanes) {
  Type *type = withLanes(reduction.type(), lanes);
  for (unsigned i = 0; i < blocks; ++i) {
    slots.push_back(stackSlot(builder, type, 1, cacheLine));
    if (isArgMax)
      positions.push_back(stackSlot(builder, positionType(), 1, cacheLine));
  }
}

Type *Accumulator::positionType() {
  return withLanes(builder.getInt32Ty(), lanes);
}

Value *Accumulator::load(Value *slot) {
  bool position = is_contained(positions, slot);
  Type *type = withLanes(reduction.type(), lanes);
  return builder.CreateLoad(position ? positionType() : type, slot);
}

static Value *unknownPosition(Type *type) {
  return ConstantInt::get(type, APInt::getSignedMaxValue(type->getScalarSizeInBits()));
}

void Accumulator::start() {
  for (Value *slot : slots)
    builder.CreateStore(reduction.identity(lanes), slot);
  for (Value *slot : positions)
    builder.CreateStore(unknownPosition(positionType()), slot);
}

void Accumulator::add(unsigned block, Value *value, Value *position, Value *tail) {
  Value *slot = slots[block % slots.size()], *sum = load(slot);
  value = reduction.term(value, lanes, tail);
  if (!isArgMax) {
    builder.CreateStore(reduction.combine(sum, value), slot);
    return;
  }
  Value *where = positions[block % slots.size()], *old = load(where);
  position = ElementwiseEmitter::splat(builder, position, lanes);
  // Positions only rise here, so that equal values keep the first; NaN is the largest.
  Value *take =
      reduction.type()->isFloatingPointTy()
          ? builder.CreateAnd(builder.CreateFCmpUGT(value, sum), builder.CreateFCmpORD(sum, sum))
          : builder.CreateICmpSGT(value, sum);
  builder.CreateStore(builder.CreateSelect(take, value, sum), slot);
  builder.CreateStore(builder.CreateSelect(take, position, old), where);
}

Accumulator::Sum Accumulator::better(Sum a, Sum b) {
  Value *equal, *greater;
  if (reduction.type()->isFloatingPointTy()) {
    Value *aNan = builder.CreateFCmpUNO(a.value, a.value),
          *bNan = builder.CreateFCmpUNO(b.value, b.value);
    greater = builder.CreateAnd(builder.CreateFCmpUGT(b.value, a.value), builder.CreateNot(aNan));
    equal =
        builder.CreateOr(builder.CreateFCmpOEQ(a.value, b.value), builder.CreateAnd(aNan, bNan));
  } else {
    greater = builder.CreateICmpSGT(b.value, a.value);
    equal = builder.CreateICmpEQ(a.value, b.value);
  }
  Value *first = builder.CreateAnd(equal, builder.CreateICmpSLT(b.position, a.position));
  Value *take = builder.CreateOr(greater, first);
  return {builder.CreateSelect(take, b.value, a.value),
          builder.CreateSelect(take, b.position, a.position)};
}

// Where nothing was larger than the identity, all are equal to it and the lowest position is 0.
Value *Accumulator::settled(Value *position) {
  Value *unknown = builder.CreateICmpEQ(position, unknownPosition(position->getType()));
  return builder.CreateSelect(unknown, Constant::getNullValue(position->getType()), position);
}

Value *Accumulator::block(unsigned number) {
  return isArgMax ? settled(load(positions[number])) : reduction.result(load(slots[number]));
}

Accumulator::Sum Accumulator::ofBlock(unsigned number) {
  return {load(slots[number]), isArgMax ? load(positions[number]) : nullptr};
}

Accumulator::Sum Accumulator::combine(Sum a, Sum b) {
  return isArgMax ? better(a, b) : Sum{reduction.combine(a.value, b.value), nullptr};
}

Value *Accumulator::result(Sum sum) {
  return isArgMax ? settled(sum.position) : reduction.result(sum.value);
}

Accumulator::Sum Accumulator::together() {
  Sum best{load(slots[0]), isArgMax ? load(positions[0]) : nullptr};
  for (size_t i = 1; i < slots.size(); ++i)
    best = combine(best, {load(slots[i]), isArgMax ? load(positions[i]) : nullptr});
  if (!isArgMax)
    return {reduction.acrossLanes(best.value), nullptr};
  while (best.value->getType()->isVectorTy()) {
    auto [low, high] = halves(builder, best.value);
    auto [lowAt, highAt] = halves(builder, best.position);
    best = better({low, lowAt}, {high, highAt});
    if (cast<FixedVectorType>(best.value->getType())->getNumElements() == 1)
      best = {builder.CreateExtractElement(best.value, uint64_t(0)),
              builder.CreateExtractElement(best.position, uint64_t(0))};
  }
  return best;
}

} // namespace weft::rows
