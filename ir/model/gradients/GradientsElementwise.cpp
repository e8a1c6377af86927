// Gradients of elementwise ops. Where a function has no derivative (max at a tie, sqrt at 0), they
// are what the op's description says (ModelElementwise.td).
#include "ir/model/gradients/Gradients.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace weft;
using namespace weft::model;

Value GradientBuilder::isAt(DimAttr dim, Value position) {
  return compare(Comparison::eq, position, make<IndexOp>(dim));
}

Value GradientBuilder::sumTo(Value gradient, ArrayRef<DimAttr> result, Value operand) {
  DimList extra = without(result, dimsOf(operand));
  DimList summed = both(extra, dimsOf(gradient));
  if (!summed.empty())
    gradient = make<SumOp>(ArrayRef(summed), gradient);
  DimList repeats = without(extra, summed);
  return repeats.empty() ? gradient : mul(gradient, countOf(builder, loc, repeats));
}

Value GradientBuilder::sumTo(Value gradient, Value factor, Value operand) {
  ArrayRef<DimAttr> wanted = dimsOf(operand);
  DimList over = without(with(dimsOf(gradient), dimsOf(factor)), wanted);
  if (without(with(dimsOf(factor), dimsOf(gradient)), over) == wanted)
    std::swap(gradient, factor); // the result then has the operand's order of dimensions
  return sumOfProduct(builder, loc, over, gradient, factor);
}

Gradients NegOp::gradients(OpBuilder &builder, ValueRange of) {
  return {GradientBuilder(builder, *this).neg(of[0])};
}

// d exp(x) = exp(x)
Gradients ExpOp::gradients(OpBuilder &builder, ValueRange of) {
  return {GradientBuilder(builder, *this).mul(of[0], getResult())};
}

// d log(x) = 1 / x
Gradients LogOp::gradients(OpBuilder &builder, ValueRange of) {
  return {GradientBuilder(builder, *this).div(of[0], getInput())};
}

// d sqrt(x) = 1 / (2 sqrt(x)), 0 at 0
Gradients SqrtOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value zero = build.number(0);
  return {build.where(build.compare(Comparison::eq, getResult(), zero), zero,
                      build.div(build.scale(0.5, of[0]), getResult()))};
}

// d rsqrt(x) = -rsqrt(x)^3 / 2
Gradients RsqrtOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value cube = build.mul(build.mul(getResult(), getResult()), getResult());
  return {build.mul(of[0], build.scale(-0.5, cube))};
}

Gradients SinOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return {build.mul(of[0], build.make<CosOp>(getInput()))};
}

Gradients CosOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return {build.neg(build.mul(of[0], build.make<SinOp>(getInput())))};
}

// d tanh(x) = 1 - tanh(x)^2
Gradients TanhOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value square = build.mul(getResult(), getResult());
  return {build.mul(of[0], build.sub(build.number(1), square))};
}

// d erf(x) = 2 / sqrt(pi) exp(-x^2)
Gradients ErfOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value bell = build.make<ExpOp>(build.neg(build.mul(getInput(), getInput())));
  return {build.mul(of[0], build.scale(2 * std::numbers::inv_sqrtpi, bell))};
}

Gradients AddOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  ArrayRef<DimAttr> dims = dimsOf(getResult());
  return {build.sumTo(of[0], dims, getLhs()), build.sumTo(of[0], dims, getRhs())};
}

Gradients SubOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  ArrayRef<DimAttr> dims = dimsOf(getResult());
  return {build.sumTo(of[0], dims, getLhs()), build.neg(build.sumTo(of[0], dims, getRhs()))};
}

Gradients MulOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return {build.sumTo(of[0], getRhs(), getLhs()), build.sumTo(of[0], getLhs(), getRhs())};
}

// d (a / b) = da / b - (a / b) db / b
Gradients DivOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value quotient = build.div(of[0], getRhs());
  Value lhs = build.sumTo(quotient, with(dimsOf(getResult()), dimsOf(quotient)), getLhs());
  return {lhs, build.neg(build.sumTo(quotient, getResult(), getRhs()))};
}

// d (a % b) = da - floor(a / b) db
Gradients ModOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value times = build.make<ToFloatOp>(build.make<FloorOp>(build.div(getLhs(), getRhs())));
  return {build.sumTo(of[0], dimsOf(getResult()), getLhs()),
          build.neg(build.sumTo(of[0], times, getRhs()))};
}

// d a^b = b a^(b - 1) da + a^b log(a) db; where a factor is 0 its term is 0
Gradients PowOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value base = getLhs(), exponent = getRhs(), zero = build.number(0);
  if (auto constant = exponent.getDefiningOp<ConstantOp>()) {
    double power = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
    if (power == 0)
      return {build.mul(of[0], zero), Value()};
    Value below = power == 2 ? base : build.make<PowOp>(base, build.number(power - 1));
    return {build.mul(of[0], build.scale(power, below)), Value()};
  }
  Value below = build.make<PowOp>(base, build.sub(exponent, build.number(1)));
  Value slope =
      build.where(build.compare(Comparison::eq, exponent, zero), zero, build.mul(exponent, below));
  Value growth = build.mul(getResult(), build.make<LogOp>(base));
  Value rise = build.where(build.compare(Comparison::eq, base, zero), zero, growth);
  return {build.sumTo(of[0], slope, base), build.sumTo(of[0], rise, exponent)};
}

/// max and min: the gradient goes to the left operand where it strictly wins, else to the right
/// one.
static Gradients chosen(GradientBuilder build, Value leftWins, Value lhs, Value rhs, Value result,
                        Value of) {
  Value zero = build.number(0);
  auto part = [&](Value then, Value otherwise, Value operand) {
    Value gradient = build.where(leftWins, then, otherwise);
    return build.sumTo(gradient, with(dimsOf(result), dimsOf(gradient)), operand);
  };
  return {part(of, zero, lhs), part(zero, of, rhs)};
}

Gradients MaxOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return chosen(build, build.compare(Comparison::gt, getLhs(), getRhs()), getLhs(), getRhs(),
                getResult(), of[0]);
}

Gradients MinOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return chosen(build, build.compare(Comparison::lt, getLhs(), getRhs()), getLhs(), getRhs(),
                getResult(), of[0]);
}

// Selected, never multiplied by the condition: the branch not taken gets exactly 0.
Gradients WhereOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Gradients branches = chosen(build, getCondition(), getThen(), getOtherwise(), getResult(), of[0]);
  return {Value(), branches[0], branches[1]};
}
