// Elementwise operators and the conversions between whole numbers, switches and floats.
#include "ir/model/Arithmetic.h"
#include "frontend/lower/body/Builder.h"
#include "ir/model/infer/Align.h"

#include <fmt/format.h>

#include <numeric>

using namespace mlir;

namespace weft::lower {

Tensor Builder::constant(double value, Location loc) {
  return {model::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value))};
}

Tensor Builder::constant(int64_t value, Location loc) {
  return {model::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)),
          Size::number(value)};
}

Tensor Builder::constant(bool value, Location loc) {
  return {model::ConstantOp::create(builder, loc, builder.getBoolAttr(value))};
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
  if (x.exact)
    return ofSize(*x.exact, x.value.getLoc());
  return {model::ToFloatOp::create(builder, unnamed(loc), x.value)};
}

/// `size` as a float: what its dimensions are, as floats, added and multiplied. All terms share one
/// denominator, so that (seq + 1) / 2 is exact as a whole.
Tensor Builder::ofSize(const Size &size, Location loc) {
  if (auto number = size.constant())
    return constant(static_cast<double>(*number), loc);
  auto times = [&](Value a, Value b) { return model::MulOp::create(builder, loc, a, b); };
  auto product = [&](double factor, const Size::Monomial &powers) {
    Value all = factor == 1 && !powers.empty() ? Value() : constant(factor, loc).value;
    for (const auto &[name, power] : powers)
      for (int i = 0; i < power; ++i) {
        // What is divided by a sum has that sum, in parentheses, for a name.
        Size named = name.front() == '(' ? *Size::parse(name) : Size::dim(name);
        Value base =
            name.front() == '('
                ? ofSize(named, loc).value
                : Value(model::ToFloatOp::create(
                      builder, loc,
                      model::SizeOp::create(builder, loc,
                                            model::SizeAttr::get(builder.getContext(), named))));
        all = all ? Value(times(all, base)) : base;
      }
    return all;
  };
  int64_t denominator = 1;
  Size::Monomial below;
  for (const auto &[powers, coefficient] : size.terms()) {
    denominator = std::lcm(denominator, coefficient.denominator);
    for (const auto &[name, power] : powers)
      if (power < 0)
        below[name] = std::max(below[name], -power);
  }
  Value sum;
  for (const auto &[powers, coefficient] : size.terms()) {
    Size::Monomial raised = powers;
    for (const auto &[name, power] : below)
      if ((raised[name] += power) == 0)
        raised.erase(name);
    Value term = product(static_cast<double>(coefficient.numerator) *
                             static_cast<double>(denominator / coefficient.denominator),
                         raised);
    sum = sum ? Value(model::AddOp::create(builder, loc, sum, term)) : term;
  }
  if (denominator != 1 || !below.empty())
    sum = model::DivOp::create(builder, loc, sum, product(static_cast<double>(denominator), below));
  return {sum};
}

Tensor Builder::toWhole(Tensor x, Location loc) {
  if (!x || !x.isBool())
    return x;
  return {model::ToIntOp::create(builder, unnamed(loc), x.value)};
}

/// Gives all values one element: float if any is, else whole unless all are switches.
bool Builder::unify(std::vector<Tensor> &values, Span place, Location loc) {
  bool anyFloat = false, allBool = true;
  for (Tensor &x : values) {
    if (!x)
      return false;
    anyFloat |= x.isFloat();
    allBool &= x.isBool();
  }
  for (Tensor &x : values) {
    if (anyFloat)
      x = toFloat(x, loc);
    else if (!allBool)
      x = toWhole(x, loc);
    if (!isInt(x, place))
      return false;
  }
  return true;
}

/// A literal that is used as a whole number must be one; as a float it may be any.
bool Builder::isInt(Tensor literal, Span place) {
  std::optional<int64_t> value = literal.exact ? literal.exact->constant() : std::nullopt;
  if (!value || *value == model::wrapped(*value))
    return true;
  error(Code::E0613, place,
        fmt::format("{} is {} than an `int` can be", *value, *value > 0 ? "larger" : "smaller"))
      .suggest("an `int` lies between -2147483648 and 2147483647; a float goes further: `3e9`");
  return false;
}

Tensor Builder::negate(Tensor x, Location loc) {
  if (auto literal = x.value.getDefiningOp<model::ConstantOp>(); literal && x.isFloat())
    return constant(-cast<FloatAttr>(literal.getValue()).getValueAsDouble(), loc);
  std::optional<Size> exact = x.exact;
  if (exact)
    exact = Size() - *exact;
  if (auto number = exact ? exact->constant() : std::nullopt)
    return constant(*number, loc);
  return {model::NegOp::create(builder, loc, toWhole(x, loc).value), exact};
}

/// `+ - *` of whole numbers. Those that are known now are computed now; of sizes that come with the
/// data, the formula is kept beside the value, which wraps around: so does a factor or a term of it
/// that is no int, or its order would matter.
Tensor Builder::combine(ast::BinaryOp op, Span place, Tensor a, Tensor b, Location loc) {
  using Op = ast::BinaryOp;
  std::optional<Size> exact;
  if (a.exact && b.exact)
    exact = op == Op::add        ? *a.exact + *b.exact
            : op == Op::subtract ? *a.exact - *b.exact
                                 : *a.exact * *b.exact;
  if (exact && exact->isUndefined()) {
    error(Code::E0613, place, "this whole number does not fit 64 bits")
        .suggest("a float goes further: `1.0 * size(d)`");
    return {};
  }
  if (auto number = exact ? exact->constant() : std::nullopt)
    return constant(*number, loc);
  if (!exact && (!isInt(a, place) || !isInt(b, place)))
    return {};
  auto asInt = [&](Tensor x) {
    std::optional<int64_t> number = x.exact ? x.exact->constant() : std::nullopt;
    return number ? constant(int64_t(model::wrapped(*number)), loc).value : x.value;
  };
  Value x = asInt(a), y = asInt(b);
  if (op == Op::add)
    return {model::AddOp::create(builder, loc, x, y), exact};
  if (op == Op::subtract)
    return {model::SubOp::create(builder, loc, x, y), exact};
  return {model::MulOp::create(builder, loc, x, y), exact};
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
bool Builder::literalFits(Tensor literal, DimAttr index, Span place) {
  if (!index || !literal.isWhole())
    return true;
  auto op = literal.value.getDefiningOp<model::ConstantOp>();
  auto size = session.dims.size(index).number;
  if (!op || !size)
    return true;
  int64_t value = cast<IntegerAttr>(op.getValue()).getInt();
  if (value >= 0 && value < *size)
    return true;
  error(Code::E0609, place,
        fmt::format("{} is not an index of `{}`, whose size is {}", value,
                    session.dims.written(index), *size))
      .suggest(fmt::format("positions count from 0: the last is {}", *size - 1));
  return false;
}

Tensor Builder::binary(ast::BinaryOp op, Span place, Tensor a, Tensor b, Location loc) {
  if (!a || !b)
    return {};
  using Op = ast::BinaryOp;
  if (op == Op::logicalAnd || op == Op::logicalOr) {
    if (op == Op::logicalAnd)
      return {model::AndOp::create(builder, loc, a.value, b.value)};
    return {model::OrOp::create(builder, loc, a.value, b.value)};
  }
  if (op == Op::divide || op == Op::power) {
    a = toFloat(a, loc);
    b = toFloat(b, loc);
    if (op == Op::divide)
      return {model::DivOp::create(builder, loc, a.value, b.value)};
    return {model::PowOp::create(builder, loc, a.value, b.value)};
  }
  if (auto predicate = comparison(op)) {
    if (!literalFits(a, b.type().indexed(), place) || !literalFits(b, a.type().indexed(), place))
      return {};
    std::vector<Tensor> both = {a, b};
    if (!unify(both, place, loc))
      return {};
    return {model::CompareOp::create(builder, loc, *predicate, both[0].value, both[1].value)};
  }
  std::vector<Tensor> both = {toWhole(a, loc), toWhole(b, loc)};
  if (op != Op::remainder && both[0].isWhole() && both[1].isWhole())
    return combine(op, place, both[0], both[1], loc);
  if (!unify(both, place, loc))
    return {};
  Value x = both[0].value, y = both[1].value;
  switch (op) {
  case Op::add:
    return {model::AddOp::create(builder, loc, x, y)};
  case Op::subtract:
    return {model::SubOp::create(builder, loc, x, y)};
  case Op::multiply:
    return {model::MulOp::create(builder, loc, x, y)};
  case Op::remainder:
    return {model::ModOp::create(builder, loc, x, y)};
  default:
    llvm_unreachable("every operator is above");
  }
}

Tensor Builder::rename(Tensor x, DimAttr from, DimAttr to, Location loc) {
  if (!x || from == to || !x.has(from))
    return x;
  return {model::RegroupOp::create(builder, loc, x.value, ArrayRef(from), ArrayRef(to))};
}

/// `dims`, of which `x` has all, as the one dimension `into`.
Tensor Builder::merge(Tensor x, const DimList &dims, DimAttr into, Location loc) {
  return {model::RegroupOp::create(builder, loc, x.value, dims, ArrayRef(into))};
}

/// `x` with all of `dims`: constant along those it lacks.
Tensor Builder::widen(Tensor x, ArrayRef<DimAttr> dims, Location loc) {
  DimList along;
  for (DimAttr dim : dims)
    if (!x.has(dim) && !llvm::is_contained(along, dim))
      along.push_back(dim);
  if (along.empty())
    return x;
  return {model::BroadcastOp::create(builder, loc, x.value, along)};
}

Tensor Builder::conform(Tensor x, model::NamedTensorType type, Location loc) {
  if (type.isFloat())
    x = toFloat(x, loc);
  x = widen(x, type.getDims(), loc);
  if (x.dims() == type.getDims() && x.type() != type)
    x.value = model::restated(builder, loc, x.value, type.getElement());
  else if (x.type() != type)
    x.value = model::ArrangeOp::create(builder, loc, type, x.value);
  return x;
}

} // namespace weft::lower
