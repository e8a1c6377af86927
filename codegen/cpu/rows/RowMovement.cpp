// Movement ops of a rows kernel: nothing moves, the operand is evaluated at other positions.
#include "codegen/cpu/rows/RowEvaluator.h"

#include "codegen/emit/Loops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using mlir::Operation;

namespace weft::cpu {

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

Value *RowEvaluator::move(Operation *op, const RowFrame &frame) {
  return TypeSwitch<Operation *, Value *>(op)
      .Case([&](model::StackOp stacked) { return stack(stacked, frame); })
      .Case([&](model::ConcatOp joined) { return concat(joined, frame); })
      .Case([&](model::InsertPartOp inserted) { return insertPart(inserted, frame); })
      .Case([&](model::GatherOp gather) {
        return value(gather.getInput(), frame.with(gather.getDimAttr(), gathered(gather, frame)));
      })
      .Case([&](model::PickOp pick) {
        const Place *at = derive({pick, 0, {}}, [&] {
          Place place;
          place.base = builder.getInt64(pick.getPosition());
          return place;
        });
        return value(pick.getInput(), frame.with(pick.getDimAttr(), at));
      })
      .Case([&](model::PartOp part) {
        const Place *at =
            shifted(part, 0, frame.find(part.getPartAttr()), size(part.getOffset().getValue()));
        return value(part.getInput(), frame.with(part.getDimAttr(), at));
      })
      .Case([&](model::RegroupOp regroup) {
        return value(regroup.getInput(), regrouped(regroup, frame));
      })
      .Default([](Operation *unknown) -> Value * {
        reportFatalInternalError("no code for " + unknown->getName().getStringRef() +
                                 " in a rows kernel");
      });
}

/// A size of the program, known throughout the kernel.
Value *RowEvaluator::size(const Size &size) {
  return scopes.at(0, [&] { return context.emission.size(builder, size, context.sizes); });
}

const Place *RowEvaluator::gathered(model::GatherOp op, const RowFrame &frame) {
  Value *index = value(op.getIndex(), frame);
  unsigned level = levelOf(op.getIndex(), frame);
  return derive({op, 0, {index}}, [&] {
    Place place;
    place.level = level;
    scopes.at(level, [&] {
      auto *vector = dyn_cast<VectorType>(index->getType());
      Type *type = vector ? VectorType::get(builder.getInt64Ty(), vector->getElementCount())
                          : (Type *)builder.getInt64Ty();
      return (vector ? place.lanes : place.base) = builder.CreateSExt(index, type);
    });
    return place;
  });
}

const Place *RowEvaluator::shifted(Operation *op, unsigned number, const Place *from, Value *by) {
  return derive({op, number, {from}}, [&] {
    Place place = *from;
    place.aligned = false;
    place.loop = nullptr;
    scopes.at(place.level, [&]() -> Value * {
      if (place.lanes)
        return place.lanes =
                   builder.CreateAdd(place.lanes, builder.CreateVectorSplat(context.lanes, by));
      return place.base = builder.CreateNSWAdd(place.base, by);
    });
    return place;
  });
}

//===-- Regroup
//-------------------------------------------------------------------------------------===//

// The positions along `to` make one linear index, row-major, which is split again along `from`.
RowFrame RowEvaluator::regrouped(model::RegroupOp op, const RowFrame &frame) {
  ArrayRef<DimAttr> from = op.getFrom(), to = op.getTo();
  RowFrame result = frame;
  SmallVector<const void *, 4> source;
  unsigned level = 0;
  for (DimAttr dim : to) {
    source.push_back(frame.find(dim));
    level = std::max(level, frame.find(dim)->level);
    result = result.without(dim);
  }
  if (from.size() == 1 && to.size() == 1)
    return result.with(from[0], frame.find(to[0]));

  SmallVector<Place> parts(from.size());
  bool fresh = !derived.contains({op, 0, source});
  if (fresh)
    scopes.at(level, [&]() -> Value * {
      Place flat = *frame.find(to[0]);
      for (DimAttr dim : to.drop_front())
        flat = appended(flat, *frame.find(dim), dim);
      for (size_t i = from.size(); i-- > 1;)
        std::tie(flat, parts[i]) = divided(flat, from[i]);
      parts[0] = flat;
      return nullptr;
    });
  for (auto [i, dim] : enumerate(from)) {
    const Place *place = derive({op, i, source}, [&, i = i] {
      parts[i].level = level;
      parts[i].loop = nullptr;
      return parts[i];
    });
    result = result.with(dim, place);
  }
  return result;
}

Place RowEvaluator::appended(const Place &high, const Place &low, DimAttr dim) {
  Value *size = extent(dim);
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
  auto *known = dyn_cast<ConstantInt>(size);
  flat.aligned = low.aligned && !high.step && known && known->getZExtValue() % context.lanes == 0;
  return flat;
}

std::pair<Place, Place> RowEvaluator::divided(const Place &flat, DimAttr dim) {
  Value *size = extent(dim);
  Place quotient, rest;
  if (flat.isUniform()) {
    quotient.base = builder.CreateUDiv(flat.base, size);
    rest.base = builder.CreateURem(flat.base, size);
    return {quotient, rest};
  }
  // An aligned vector does not straddle a multiple of a size that whole vectors make up.
  auto *known = dyn_cast<ConstantInt>(size);
  auto *step = dyn_cast_or_null<ConstantInt>(flat.step);
  if (flat.aligned && step && step->isOne() && known &&
      known->getZExtValue() % context.lanes == 0) {
    quotient.base = builder.CreateUDiv(flat.base, size);
    rest.base = builder.CreateURem(flat.base, size);
    rest.step = flat.step;
    rest.aligned = true;
    return {quotient, rest};
  }
  // In f64, for there is no vector division of integers; positions are below 2^31, and so exact.
  Type *narrow = FixedVectorType::get(builder.getInt32Ty(), context.lanes);
  Type *wide = FixedVectorType::get(builder.getDoubleTy(), context.lanes);
  Value *all = lanePositions(flat), *divisor = builder.CreateVectorSplat(context.lanes, size);
  Value *number = builder.CreateSIToFP(builder.CreateTrunc(all, narrow), wide);
  Value *by =
      builder.CreateVectorSplat(context.lanes, builder.CreateSIToFP(size, builder.getDoubleTy()));
  Value *floor = builder.CreateFPToSI(builder.CreateFDiv(number, by), narrow);
  quotient.lanes = builder.CreateSExt(floor, all->getType());
  rest.lanes = builder.CreateSub(all, builder.CreateMul(quotient.lanes, divisor));
  return {quotient, rest};
}

//===-- Values that are made of several
//---------------------------------------------------------------===//

Value *RowEvaluator::stack(model::StackOp op, const RowFrame &frame) {
  const Place &place = *frame.find(op.getDimAttr());
  RowFrame inside = frame.without(op.getDimAttr());
  if (auto *known = dyn_cast_or_null<ConstantInt>(place.isUniform() ? place.base : nullptr))
    return value(op.getInputs()[known->getZExtValue()], inside);
  Value *positions = place.isUniform() ? place.base : lanePositions(place);
  Value *result = value(op.getInputs()[0], inside);
  for (auto [k, input] : enumerate(op.getInputs().drop_front())) {
    Value *here = builder.CreateICmpEQ(positions, ConstantInt::get(positions->getType(), k + 1));
    result = select(here, value(input, inside), result);
  }
  return result;
}

/// Whether `from` <= position < `to`, lane by lane or for all.
Value *RowEvaluator::whether(const Place &place, Value *from, Value *to) {
  Value *positions = place.isUniform() ? place.base : lanePositions(place);
  if (!place.isUniform()) {
    from = builder.CreateVectorSplat(context.lanes, from);
    to = builder.CreateVectorSplat(context.lanes, to);
  }
  return builder.CreateAnd(builder.CreateICmpSGE(positions, from),
                           builder.CreateICmpSLT(positions, to));
}

/// The positions of a value with `part` instead of `dim`; what is outside the part is masked.
RowFrame RowEvaluator::inPart(Operation *op, unsigned number, const RowFrame &frame, DimAttr dim,
                              DimAttr part, Value *offset) {
  const Place *place = frame.find(dim);
  Value *back = scopes.at(0, [&] { return builder.CreateNeg(offset); });
  RowFrame result = frame.without(dim).with(part, shifted(op, number, place, back));
  result.maskLevel = std::max(place->level, frame.mask ? frame.maskLevel : 0);
  Value *&mask = masks[{op, number, {place, frame.mask}}];
  if (!mask)
    scopes.at(result.maskLevel, [&] {
      mask = whether(*place, offset, builder.CreateNSWAdd(offset, extent(part)));
      if (!frame.mask)
        return mask;
      bool alike = frame.mask->getType() == mask->getType();
      return mask = alike ? builder.CreateAnd(mask, frame.mask)
                          : builder.CreateAnd(splat(mask), splat(frame.mask));
    });
  result.mask = mask;
  return result;
}

Value *RowEvaluator::concat(model::ConcatOp op, const RowFrame &frame) {
  Value *offset = builder.getInt64(0), *result = nullptr;
  ArrayRef<DimAttr> parts = op.getParts();
  for (auto [i, input] : enumerate(op.getInputs())) {
    RowFrame inside = inPart(op, i, frame, op.getDimAttr(), parts[i], offset);
    Value *part = value(input, inside);
    result = result ? select(inside.mask, part, result) : part;
    Value *width = extent(parts[i]);
    offset = scopes.at(0, [&] { return builder.CreateNSWAdd(offset, width); });
  }
  return result;
}

Value *RowEvaluator::insertPart(model::InsertPartOp op, const RowFrame &frame) {
  Value *offset = size(op.getOffset().getValue());
  RowFrame inside = inPart(op, 0, frame, op.getDimAttr(), op.getPartAttr(), offset);
  return select(inside.mask, value(op.getInput(), inside), value(op.getInto(), frame));
}

} // namespace weft::cpu
