// Folds: constants are computed, floats in float64 and whole numbers in 32 bits, and ops that
// change nothing disappear. None changes a number, not the sign of a 0, nor where NaN comes out.
#include "ir/model/Arithmetic.h"
#include "ir/model/Comparisons.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

static std::optional<double> floatOf(Attribute value) {
  if (auto number = dyn_cast_if_present<FloatAttr>(value))
    return number.getValueAsDouble();
  return std::nullopt;
}

static std::optional<int64_t> wholeOf(Attribute value) {
  auto number = dyn_cast_if_present<IntegerAttr>(value);
  if (number && number.getType().isInteger(64))
    return wrapped(number.getInt());
  return std::nullopt;
}

static std::optional<bool> switchOf(Attribute value) {
  if (auto flag = dyn_cast_if_present<BoolAttr>(value))
    return flag.getValue();
  return std::nullopt;
}

static Attribute attribute(MLIRContext *context, double value) {
  return FloatAttr::get(Float64Type::get(context), value);
}
static Attribute attribute(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IntegerType::get(context, 64), value);
}
static Attribute attribute(MLIRContext *context, bool value) {
  return BoolAttr::get(context, value);
}

/// What a function gives of a constant, or null.
template <typename Function> static Attribute foldFloat(Attribute input, Function function) {
  std::optional<double> x = floatOf(input);
  return x ? attribute(input.getContext(), double(function(*x))) : Attribute();
}

/// `value` in place of the result, if that has the same type.
static OpFoldResult instead(Value value, Value result) {
  return value.getType() == result.getType() ? OpFoldResult(value) : OpFoldResult();
}

static bool isNumber(Attribute value, double number) {
  return floatOf(value) == number || wholeOf(value) == int64_t(number);
}

/// Whether `value` is a neutral element: of a sum (`negative`) that is -0, for 0 + -0 is 0; of a
/// subtraction it is 0.
static bool isNeutral(Attribute value, bool negative) {
  std::optional<double> number = floatOf(value);
  return wholeOf(value) == 0 || (number == 0.0 && std::signbit(*number) == negative);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

OpFoldResult SizeOp::fold(FoldAdaptor) {
  std::optional<int64_t> size = getSize().getValue().constant();
  return size ? attribute(getContext(), wrapped(*size)) : Attribute();
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<NegOp>())
    if (OpFoldResult same = instead(inner.getInput(), getResult()))
      return same;
  if (std::optional<int64_t> x = wholeOf(adaptor.getInput()))
    return attribute(getContext(), wrapped(-*x));
  return foldFloat(adaptor.getInput(), [](double x) { return -x; });
}

OpFoldResult weft::model::foldFloatFunction(Operation *op, Attribute operand) {
  return foldFloat(operand, cast<FloatFunctionOp>(op).function().evaluate);
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<NotOp>())
    return inner.getInput();
  std::optional<bool> x = switchOf(adaptor.getInput());
  return x ? attribute(getContext(), !*x) : Attribute();
}

OpFoldResult FloorOp::fold(FoldAdaptor adaptor) {
  std::optional<double> x = floatOf(adaptor.getInput());
  return x ? attribute(getContext(), floorOf(*x)) : Attribute();
}

OpFoldResult ToFloatOp::fold(FoldAdaptor adaptor) {
  if (std::optional<int64_t> x = wholeOf(adaptor.getInput()))
    return attribute(getContext(), double(*x));
  std::optional<bool> flag = switchOf(adaptor.getInput());
  return flag ? attribute(getContext(), *flag ? 1.0 : 0.0) : Attribute();
}

OpFoldResult ToIntOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> flag = switchOf(adaptor.getInput());
  return flag ? attribute(getContext(), int64_t(*flag)) : Attribute();
}

static Attribute constantOf(const BinaryFunction &function, Attribute lhs, Attribute rhs) {
  MLIRContext *context = lhs.getContext();
  if (auto a = floatOf(lhs), b = floatOf(rhs); a && b && function.real)
    return attribute(context, function.real(*a, *b));
  if (auto a = wholeOf(lhs), b = wholeOf(rhs); a && b && function.whole)
    return attribute(context, wrapped(function.whole(*a, *b)));
  if (auto a = switchOf(lhs), b = switchOf(rhs); a && b && function.logical)
    return attribute(context, function.logical(*a, *b));
  return {};
}

OpFoldResult weft::model::foldBinaryFunction(Operation *op, Attribute lhs, Attribute rhs) {
  return lhs && rhs ? constantOf(cast<BinaryFunctionOp>(op).function(), lhs, rhs) : Attribute();
}

// The interface folds two constants.

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  Attribute a = adaptor.getLhs(), b = adaptor.getRhs();
  if (a && b)
    return {};
  if (isNeutral(b, true))
    return instead(getLhs(), getResult());
  return isNeutral(a, true) ? instead(getRhs(), getResult()) : OpFoldResult();
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  return !adaptor.getLhs() && isNeutral(adaptor.getRhs(), false) ? instead(getLhs(), getResult())
                                                                 : OpFoldResult();
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  Attribute a = adaptor.getLhs(), b = adaptor.getRhs();
  if (a && b)
    return {};
  if (isNumber(b, 1))
    return instead(getLhs(), getResult());
  return isNumber(a, 1) ? instead(getRhs(), getResult()) : OpFoldResult();
}

/// x / 1, floor(x / 1) and x ^ 1 are x.
static OpFoldResult byOne(Attribute lhs, Attribute rhs, Value x, Value result) {
  return !lhs && isNumber(rhs, 1) ? instead(x, result) : OpFoldResult();
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  return byOne(adaptor.getLhs(), adaptor.getRhs(), getLhs(), getResult());
}
OpFoldResult FloorDivOp::fold(FoldAdaptor adaptor) {
  return byOne(adaptor.getLhs(), adaptor.getRhs(), getLhs(), getResult());
}
OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  return byOne(adaptor.getLhs(), adaptor.getRhs(), getLhs(), getResult());
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  for (auto [flag, other] : {std::pair(switchOf(adaptor.getLhs()), getRhs()),
                             std::pair(switchOf(adaptor.getRhs()), getLhs())})
    if (flag == true)
      return instead(other, getResult());
    else if (flag == false && typeOf(getResult()).getDims().empty())
      return attribute(getContext(), false);
  return {};
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  for (auto [flag, other] : {std::pair(switchOf(adaptor.getLhs()), getRhs()),
                             std::pair(switchOf(adaptor.getRhs()), getLhs())})
    if (flag == false)
      return instead(other, getResult());
    else if (flag == true && typeOf(getResult()).getDims().empty())
      return attribute(getContext(), true);
  return {};
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  Attribute lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
  if (auto a = floatOf(lhs), b = floatOf(rhs); a && b)
    return attribute(getContext(), holds(getPredicate(), *a, *b));
  if (auto a = wholeOf(lhs), b = wholeOf(rhs); a && b)
    return attribute(getContext(), holds(getPredicate(), *a, *b));
  if (auto a = switchOf(lhs), b = switchOf(rhs); a && b)
    return attribute(getContext(), holds(getPredicate(), *a, *b));
  return {};
}

/// The value of a comparison with a random number that is the same whatever is drawn: random < 0,
/// random < 1.
static std::optional<bool> certain(Value value) {
  auto compare = value.getDefiningOp<CompareOp>();
  if (!compare || compare.getPredicate() != Comparison::lt ||
      !compare.getLhs().getDefiningOp<RandomOp>())
    return std::nullopt;
  auto constant = compare.getRhs().getDefiningOp<ConstantOp>();
  std::optional<double> limit = constant ? floatOf(constant.getValue()) : std::nullopt;
  if (limit && *limit <= 0)
    return false;
  return limit && *limit >= 1 ? std::optional(true) : std::nullopt;
}

OpFoldResult WhereOp::fold(FoldAdaptor adaptor) {
  if (getThen() == getOtherwise())
    return instead(getThen(), getResult());
  std::optional<bool> condition = switchOf(adaptor.getCondition());
  if (!condition)
    condition = certain(getCondition()); // dropout at rate 0 changes nothing
  if (!condition)
    return {};
  return instead(*condition ? getThen() : getOtherwise(), getResult());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getAlong().empty() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult ArrangeOp::fold(FoldAdaptor) {
  if (OpFoldResult same = instead(getInput(), getResult()))
    return same;
  auto inner = getInput().getDefiningOp<ArrangeOp>();
  if (!inner)
    return {};
  setOperand(inner.getInput());
  return getResult();
}

OpFoldResult RegroupOp::fold(FoldAdaptor) {
  // [b, a] as [a, b] may keep the type and still move elements.
  return getFrom() == getTo() ? instead(getInput(), getResult()) : OpFoldResult();
}
