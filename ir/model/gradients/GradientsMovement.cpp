// Gradients of reductions, views and ops that move elements.
#include "ir/model/gradients/Gradients.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

// The gradient of a sum is constant along what was summed.
Gradients SumOp::gradients(OpBuilder &builder, ValueRange of) {
  return {of[0]};
}

/// To the position of the extremum; over several dimensions the lowest in their order.
static Gradients toExtremum(GradientBuilder build, Value input, ArrayRef<DimAttr> over,
                            bool largest, Value of) {
  Value rest = largest ? input : build.neg(input), here;
  for (size_t i = over.size(); i-- > 0;) {
    ArrayRef<DimAttr> one = over[i];
    Value at = build.isAt(over[i], build.make<ArgMaxOp>(one, rest));
    here = here ? build.make<AndOp>(here, at) : at;
    if (i > 0)
      rest = build.make<ReduceMaxOp>(one, rest);
  }
  return {build.where(here, of, build.number(0))};
}

Gradients ReduceMaxOp::gradients(OpBuilder &builder, ValueRange of) {
  if (getShift()) // nothing depends on it
    return {Value()};
  return toExtremum({builder, *this}, getInput(), getOver(), true, of[0]);
}

Gradients ReduceMinOp::gradients(OpBuilder &builder, ValueRange of) {
  return toExtremum({builder, *this}, getInput(), getOver(), false, of[0]);
}

// An element adds to the sums at its position and at all later ones.
Gradients CumSumOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return {build.make<CumSumOp>(getDimAttr(), build.along(of[0], getDimAttr()),
                               getReverse() ? UnitAttr() : builder.getUnitAttr())};
}

Gradients BroadcastOp::gradients(OpBuilder &builder, ValueRange of) {
  return {GradientBuilder(builder, *this).sumTo(of[0], dimsOf(getResult()), getInput())};
}

Gradients ArrangeOp::gradients(OpBuilder &builder, ValueRange of) {
  return {of[0]};
}

Gradients RegroupOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  if (both(getTo(), dimsOf(of[0])).empty() && !getTo().empty())
    return {of[0]};
  return {build.make<RegroupOp>(build.along(of[0], getTo()), getTo(), getFrom())};
}

/// `type` with `part` in the place of `dim`.
static NamedTensorType renamed(NamedTensorType type, DimAttr dim, DimAttr part) {
  DimList dims(type.getDims());
  llvm::replace(dims, dim, part);
  return NamedTensorType::get(type.getContext(), type.getElement(), dims);
}

Gradients PartOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value part = build.along(of[0], dimsOf(getResult()));
  return {build.make<InsertPartOp>(typeOf(getInput()), part, build.number(0), getDimAttr(),
                                   getPartAttr(), getOffsetAttr())};
}

Gradients PickOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value gradient = build.where(build.isAt(getDimAttr(), build.make<ConstantOp>(getPositionAttr())),
                               of[0], build.number(0));
  // In the input's order of dimensions: a small picked dimension (three roles) innermost would use
  // three lanes of a vector.
  NamedTensorType type = typeOf(getInput());
  return {contains(dimsOf(gradient), type.getDims()) ? build.shaped(gradient, type) : gradient};
}

// Where each element of the result comes from its own row of the input (`logits[class = target]`)
// one comparison says so, without moving anything; else several may come from one row, and their
// gradients are summed there.
Gradients GatherOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  NamedTensorType type = typeOf(getInput());
  if (!hasDim(getIndex(), getDimAttr()) && contains(type.getDims(), dimsOf(getIndex())))
    return {build.where(build.isAt(getDimAttr(), getIndex()), of[0], build.number(0)), Value()};
  Value gradient = build.along(of[0], dimsOf(getResult()));
  return {build.make<ScatterOp>(type, gradient, getDimAttr(), getIndex()), Value()};
}

Gradients ScatterOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value gradient = build.along(of[0], getDimAttr());
  return {build.make<GatherOp>(gradient, getDimAttr(), getIndex()), Value()};
}

Gradients InsertPartOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  NamedTensorType type = typeOf(getResult());
  Value all = build.along(of[0], type.getDims());
  Value hole = build.along(build.number(0), getPartAttr());
  Value part = build.make<PartOp>(all, getDimAttr(), getPartAttr(), getOffsetAttr());
  Value rest =
      build.make<InsertPartOp>(type, hole, all, getDimAttr(), getPartAttr(), getOffsetAttr());
  return {build.sumTo(part, dimsOf(part), getInput()), build.sumTo(rest, dimsOf(rest), getInto())};
}

Gradients StackOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  DimList dims = without(dimsOf(getResult()), getDimAttr());
  Gradients inputs;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    Value one = of[0];
    if (hasDim(one, getDimAttr()))
      one = build.make<PickOp>(one, getDimAttr(), builder.getI64IntegerAttr(i));
    inputs.push_back(build.sumTo(one, dims, input));
  }
  return inputs;
}

Gradients ConcatOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value all = build.along(of[0], getDimAttr());
  Size offset;
  Gradients inputs;
  for (auto [input, part] : llvm::zip(getInputs(), getParts())) {
    Value one = build.make<PartOp>(all, getDimAttr(), part, SizeAttr::get(getContext(), offset));
    inputs.push_back(
        build.sumTo(one, renamed(typeOf(getResult()), getDimAttr(), part).getDims(), input));
    offset = offset + Size::dim(part.getValue());
  }
  return inputs;
}
