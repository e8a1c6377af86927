// Elementwise operators and the conversions between whole numbers, switches and floats.
#include "frontend/build/Builder.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::build {

Tensor Builder::constant(double value, Location loc) {
  return {model::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value)), {}};
}

Tensor Builder::constant(int64_t value, Location loc) {
  return {model::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)), {}};
}

Tensor Builder::constant(bool value, Location loc) {
  return {model::ConstantOp::create(builder, loc, builder.getBoolAttr(value)), {}};
}

Tensor Builder::constant(const StaticNumber &value, Location loc) {
  return value.whole ? constant(value.integer, loc) : constant(value.value, loc);
}

/// Conversions have no name of their own.
static Location unnamed(Location loc) {
  auto named = dyn_cast<NameLoc>(loc);
  return named ? named.getChildLoc() : loc;
}

// A scope may still hold a constant that is replaced here by one of another type: what nobody uses
// in the end is dropped with the finished module.
Tensor Builder::toFloat(Tensor x, Location loc) {
  if (!x || x.isFloat())
    return x;
  if (auto literal = x.value.getDefiningOp<model::ConstantOp>())
    if (auto whole = dyn_cast<IntegerAttr>(literal.getValue()); whole && x.isWhole())
      return constant(static_cast<double>(whole.getInt()), literal.getLoc());
  return {model::ToFloatOp::create(builder, unnamed(loc), x.value), {}};
}

Tensor Builder::toWhole(Tensor x, Location loc) {
  if (!x || !x.isBool())
    return x;
  return {model::ToIntOp::create(builder, unnamed(loc), x.value), {}};
}

/// Gives all values one element: float if any is, else whole unless all are switches.
bool Builder::unify(std::vector<Tensor> &values, Span place, Location loc) {
  bool anyFloat = false, allBool = true, sameIndex = true;
  for (Tensor &x : values) {
    if (!x)
      return false;
    anyFloat |= x.isFloat();
    allBool &= x.isBool();
    sameIndex &= x.index == values.front().index;
  }
  for (Tensor &x : values) {
    if (anyFloat)
      x = toFloat(x, loc);
    else if (!allBool)
      x = toWhole(x, loc);
    if (!sameIndex)
      x.index = {};
    if (!isInt(x, place))
      return false;
  }
  return true;
}

/// A literal that is used as a whole number must be one; as a float it may be any.
bool Builder::isInt(Tensor literal, Span place) {
  auto op = literal ? literal.value.getDefiningOp<model::ConstantOp>() : nullptr;
  if (!op || !literal.isWhole())
    return true;
  int64_t value = cast<IntegerAttr>(op.getValue()).getInt();
  if (value == int32_t(value))
    return true;
  error(Code::E0613, place, fmt::format("{} is larger than an `int` can be", value))
      .suggest("an `int` lies between -2147483648 and 2147483647; a float goes further: `3e9`");
  return false;
}

Tensor Builder::negate(Tensor x, Location loc) {
  if (auto literal = x.value.getDefiningOp<model::ConstantOp>(); literal && !x.isBool()) {
    Attribute value = literal.getValue();
    auto number = dyn_cast<FloatAttr>(value);
    return number ? constant(-number.getValueAsDouble(), loc)
                  : constant(-cast<IntegerAttr>(value).getInt(), loc);
  }
  return {model::NegOp::create(builder, loc, toWhole(x, loc).value), {}};
}

static std::optional<model::Comparison> comparison(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::less:
    return model::Comparison::lt;
  case ast::BinaryOp::lessEqual:
    return model::Comparison::le;
  case ast::BinaryOp::greater:
    return model::Comparison::gt;
  case ast::BinaryOp::greaterEqual:
    return model::Comparison::ge;
  case ast::BinaryOp::equal:
    return model::Comparison::eq;
  case ast::BinaryOp::notEqual:
    return model::Comparison::ne;
  default:
    return std::nullopt;
  }
}

/// A literal that is used as an index must be one.
bool Builder::literalFits(Tensor literal, Tensor index, Span place) {
  if (!index.index || !literal.isWhole())
    return true;
  auto op = literal.value.getDefiningOp<model::ConstantOp>();
  auto size = session.dims.size(index.index).number;
  if (!op || !size)
    return true;
  int64_t value = cast<IntegerAttr>(op.getValue()).getInt();
  if (value >= 0 && value < *size)
    return true;
  error(
      Code::E0609, place,
      fmt::format("{} is not an index of `{}`, whose size is {}", value, index.index.str(), *size))
      .suggest(fmt::format("positions count from 0: the last is {}", *size - 1));
  return false;
}

Tensor Builder::binary(ast::BinaryOp op, Span place, Tensor a, Tensor b, Location loc) {
  if (!a || !b)
    return {};
  using Op = ast::BinaryOp;
  if (op == Op::logicalAnd || op == Op::logicalOr) {
    if (!a.isBool() || !b.isBool())
      return unsupported(place, fmt::format("`{}` joins conditions", ast::spelling(op)));
    if (op == Op::logicalAnd)
      return {model::AndOp::create(builder, loc, a.value, b.value), {}};
    return {model::OrOp::create(builder, loc, a.value, b.value), {}};
  }
  if (op == Op::divide || op == Op::power) {
    a = toFloat(a, loc);
    b = toFloat(b, loc);
    if (op == Op::divide)
      return {model::DivOp::create(builder, loc, a.value, b.value), {}};
    return {model::PowOp::create(builder, loc, a.value, b.value), {}};
  }
  if (auto predicate = comparison(op)) {
    if (!literalFits(a, b, place) || !literalFits(b, a, place))
      return {};
    std::vector<Tensor> both = {a, b};
    if (!unify(both, place, loc))
      return {};
    return {model::CompareOp::create(builder, loc, *predicate, both[0].value, both[1].value), {}};
  }
  std::vector<Tensor> both = {toWhole(a, loc), toWhole(b, loc)};
  if (!unify(both, place, loc))
    return {};
  Value x = both[0].value, y = both[1].value;
  switch (op) {
  case Op::add:
    return {model::AddOp::create(builder, loc, x, y), {}};
  case Op::subtract:
    return {model::SubOp::create(builder, loc, x, y), {}};
  case Op::multiply:
    return {model::MulOp::create(builder, loc, x, y), {}};
  case Op::remainder:
    return {model::ModOp::create(builder, loc, x, y), {}};
  default:
    return unsupported(place, fmt::format("`{}` is not an operator", ast::spelling(op)));
  }
}

Tensor Builder::rename(Tensor x, StringAttr from, StringAttr to, Location loc) {
  if (!x || from == to || !x.has(from))
    return x;
  return {model::RegroupOp::create(builder, loc, x.value, builder.getArrayAttr(from),
                                   builder.getArrayAttr(to)),
          x.index};
}

/// `dims`, of which `x` has all, as the one dimension `into`.
Tensor Builder::merge(Tensor x, const Dims &dims, StringAttr into, Location loc) {
  SmallVector<Attribute> from(dims.begin(), dims.end());
  return {model::RegroupOp::create(builder, loc, x.value, builder.getArrayAttr(from),
                                   builder.getArrayAttr(into)),
          x.index};
}

/// `x` with all of `dims`: constant along those it lacks.
Tensor Builder::widen(Tensor x, ArrayRef<StringAttr> dims, Location loc) {
  SmallVector<Attribute> along;
  for (StringAttr dim : dims)
    if (!x.has(dim) && !llvm::is_contained(along, dim))
      along.push_back(dim);
  if (along.empty())
    return x;
  return {model::BroadcastOp::create(builder, loc, x.value, builder.getArrayAttr(along)), x.index};
}

Tensor Builder::conform(Tensor x, model::NamedTensorType type, Location loc) {
  for (StringAttr dim : x.dims())
    if (!type.has(dim))
      return {};
  if (type.isFloat() && !x.isBool())
    x = toFloat(x, loc);
  if (x.type().getElement() != type.getElement())
    return {};
  x = widen(x, type.getDims(), loc);
  if (x.type() != type)
    x.value = model::ArrangeOp::create(builder, loc, type, x.value);
  return x;
}

} // namespace weft::build
