// Movement ops of a rows kernel: nothing moves, an operand is evaluated at other positions.
#include "codegen/rows/RowEvaluator.h"

using namespace llvm;
using mlir::Operation;

namespace weft::rows {

using Kind = Position::Kind;

Value *RowEvaluator::lanePositions(const Place &place) {
  if (place.lanes)
    return place.lanes;
  Value *base = builder.CreateVectorSplat(context.lanes, place.base);
  if (!place.step)
    return base;
  return builder.CreateAdd(base,
                           builder.CreateMul(memory.laneNumbers(),
                                             builder.CreateVectorSplat(context.lanes, place.step)));
}

Value *RowEvaluator::select(Value *condition, Value *yes, Value *no) {
  bool vector = condition->getType()->isVectorTy() || yes->getType()->isVectorTy() ||
                no->getType()->isVectorTy();
  if (vector) {
    yes = splat(yes);
    no = splat(no);
  }
  return builder.CreateSelect(condition, yes, no);
}

//===-- What is read
//-------------------------------------------------------------------------------------===//

Value *RowEvaluator::move(Operation *op, const RowFrame &frame) {
  struct Part {
    Value *here, *value;
  };
  SmallVector<Part> parts;
  for (const Read &read : readsOf(op)) {
    Value *here = read.within ? isWithin(*read.within, frame) : builder.getTrue();
    auto *known = dyn_cast<ConstantInt>(here);
    if (known && known->isZero())
      continue;
    parts.push_back({here, value(read.source, readFrame(read, here, frame))});
    if (known)
      break;
  }
  Value *result = parts.pop_back_val().value;
  for (const Part &part : reverse(parts))
    result = select(part.here, part.value, result);
  return result;
}

/// The positions at which a read operand is evaluated. Where the result is not it, it is masked.
RowFrame RowEvaluator::readFrame(const Read &read, Value *here, const RowFrame &frame) {
  RowFrame result = frame;
  for (const auto &[dim, position] : read.at)
    result = result.with(dim, place(position, frame));
  if (read.at.empty() || isa<ConstantInt>(here))
    return result;
  result.maskLevel = std::max(frame.maskLevel, frame.find(read.within->dim)->level);
  result.mask = here;
  if (!frame.mask)
    return result;
  Value *&both = masks[{0, {here, frame.mask}}];
  if (!both)
    scopes.at(result.maskLevel, [&] {
      bool alike = frame.mask->getType() == here->getType();
      return both = alike ? builder.CreateAnd(here, frame.mask)
                          : builder.CreateAnd(splat(here), splat(frame.mask));
    });
  result.mask = both;
  return result;
}

/// Whether the position is in the range, lane by lane or for all.
Value *RowEvaluator::isWithin(const Range &range, const RowFrame &frame) {
  const Place *place = frame.find(range.dim);
  Value *from = size(range.from), *end = size(range.from + range.count);
  Value *&known = masks[{1, {place, from, end}}];
  if (!known)
    scopes.at(place->level, [&] {
      Value *at = place->isUniform() ? place->base : lanePositions(*place);
      auto like = [&](Value *bound) { return place->isUniform() ? bound : splat(bound); };
      return known = builder.CreateAnd(builder.CreateICmpSGE(at, like(from)),
                                       builder.CreateICmpSLT(at, like(end)));
    });
  return known;
}

//===-- Where it is read
//-------------------------------------------------------------------------------------===//

const Place *RowEvaluator::derive(const Derivation &how, unsigned level,
                                  function_ref<Place()> make) {
  const Place *&known = derived[how];
  if (known)
    return known;
  Place place;
  scopes.at(level, [&] {
    place = make();
    return nullptr;
  });
  place.level = level;
  place.loop = nullptr;
  place.first = nullptr;
  return known = intern(place);
}

const Place *RowEvaluator::place(const Position &position, const RowFrame &frame) {
  if (position.kind == Kind::along)
    return frame.find(position.dim);
  if (position.kind == Kind::element)
    return elementOf(position.index, frame);
  const Place *first = position.first ? place(*position.first, frame) : nullptr;
  const Place *second = position.second ? place(*position.second, frame) : nullptr;
  return computed(position.kind, first, second, size(position.size));
}

const Place *RowEvaluator::elementOf(mlir::Value index, const RowFrame &frame) {
  Value *at = value(index, frame);
  return derive({unsigned(Kind::element), {at}}, levelOf(index, frame), [&] {
    Place place;
    if (auto *vector = dyn_cast<VectorType>(at->getType()))
      place.lanes =
          builder.CreateSExt(at, VectorType::get(builder.getInt64Ty(), vector->getElementCount()));
    else
      place.base = builder.CreateSExt(at, builder.getInt64Ty());
    return place;
  });
}

/// A formula of one step.
const Place *RowEvaluator::computed(Kind kind, const Place *first, const Place *second,
                                    Value *size) {
  unsigned level = std::max(first ? first->level : 0, second ? second->level : 0);
  const Place *whole =
      kind == Kind::rest ? computed(Kind::quotient, first, nullptr, size) : nullptr;
  return derive({unsigned(kind), {first, second, size}}, level, [&]() -> Place {
    switch (kind) {
    case Kind::plus:
    case Kind::minus:
      return shifted(*first, kind, size);
    case Kind::joined:
      return joined(*first, *second, size);
    case Kind::quotient:
      return quotient(*first, size);
    case Kind::rest:
      return rest(*first, *whole, size);
    default:
      return {.base = size};
    }
  });
}

Place RowEvaluator::shifted(Place place, Kind kind, Value *by) {
  place.aligned = false;
  if (place.lanes)
    by = builder.CreateVectorSplat(context.lanes, by);
  Value *&at = place.lanes ? place.lanes : place.base;
  at = kind == Kind::plus ? builder.CreateNSWAdd(at, by) : builder.CreateNSWSub(at, by);
  return place;
}

Place RowEvaluator::joined(const Place &high, const Place &low, Value *size) {
  Place flat;
  if (high.lanes || low.lanes) {
    Value *scaled =
        builder.CreateMul(lanePositions(high), builder.CreateVectorSplat(context.lanes, size));
    flat.lanes = builder.CreateAdd(scaled, lanePositions(low));
    return flat;
  }
  flat.base = builder.CreateNSWAdd(builder.CreateNSWMul(high.base, size), low.base);
  flat.step = low.step;
  if (high.step) {
    Value *scaled = builder.CreateNSWMul(high.step, size);
    flat.step = low.step ? builder.CreateNSWAdd(scaled, low.step) : scaled;
  }
  flat.aligned = low.aligned && !high.step && isWholeVectors(size);
  return flat;
}

/// Whether `size` is a number that whole vectors make up.
bool RowEvaluator::isWholeVectors(Value *size) const {
  auto *known = dyn_cast<ConstantInt>(size);
  return known && known->getZExtValue() % context.lanes == 0;
}

/// Whether all lanes have one quotient: an aligned vector does not straddle a multiple of a size
/// that whole vectors make up.
bool RowEvaluator::sharesQuotient(const Place &flat, Value *size) const {
  auto *step = dyn_cast_or_null<ConstantInt>(flat.step);
  return flat.isUniform() || (flat.aligned && step && step->isOne() && isWholeVectors(size));
}

Place RowEvaluator::quotient(const Place &flat, Value *size) {
  if (sharesQuotient(flat, size))
    return {.base = builder.CreateUDiv(flat.base, size)};
  // In f64, for there is no vector division of integers; positions are below 2^31, and so exact.
  Type *narrow = FixedVectorType::get(builder.getInt32Ty(), context.lanes);
  Type *wide = FixedVectorType::get(builder.getDoubleTy(), context.lanes);
  Value *all = lanePositions(flat);
  Value *number = builder.CreateSIToFP(builder.CreateTrunc(all, narrow), wide);
  Value *by =
      builder.CreateVectorSplat(context.lanes, builder.CreateSIToFP(size, builder.getDoubleTy()));
  Value *floor = builder.CreateFPToSI(builder.CreateFDiv(number, by), narrow);
  return {.lanes = builder.CreateSExt(floor, all->getType())};
}

Place RowEvaluator::rest(const Place &flat, const Place &whole, Value *size) {
  if (sharesQuotient(flat, size))
    return {.base = builder.CreateURem(flat.base, size),
            .step = flat.step,
            .aligned = flat.aligned && !flat.isUniform()};
  Value *multiple = builder.CreateMul(whole.lanes, builder.CreateVectorSplat(context.lanes, size));
  return {.lanes = builder.CreateSub(lanePositions(flat), multiple)};
}

} // namespace weft::rows
