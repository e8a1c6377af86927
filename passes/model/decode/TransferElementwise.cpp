// What is known of results that are computed element by element: constants that masks make,
// positions, switches.
#include "ir/model/Arithmetic.h"
#include "passes/model/decode/Causality.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace weft::model;

namespace weft::decode {
namespace {

using Number = std::optional<double>;

Number applied(Operation &op, double x) {
  return llvm::TypeSwitch<Operation *, Number>(&op)
      .Case([&](NegOp) { return -x; })
      .Case([&](FloatFunctionOp op) { return op.function().evaluate(x); })
      .Case([&](ToFloatOp) { return x; })
      .Case([&](FloorOp) { return double(floorOf(x)); })
      .Default([](Operation *) { return std::nullopt; });
}

Number applied(Operation &op, double a, double b) {
  const BinaryFunction &function = cast<BinaryFunctionOp>(op).function();
  if (typeOf(op.getResult(0)).isFloat())
    return function.real(a, b);
  return double(function.whole(int64_t(a), int64_t(b)));
}

/// The constant that the result is whenever one side (`left` or right) is `x` and the other is
/// finite and not 0.
Number absorbed(Operation &op, double x, bool left) {
  bool infinite = std::isinf(x);
  if (x == 0 && (isa<MulOp>(op) || (isa<DivOp>(op) && left)))
    return 0;
  if (infinite && (isa<AddOp>(op) || (isa<SubOp>(op) && left)))
    return x;
  if (infinite && isa<SubOp>(op))
    return -x;
  if ((isa<MinOp>(op) && infinite && x < 0) || (isa<MaxOp>(op) && infinite && x > 0))
    return x;
  return std::nullopt;
}

constexpr size_t mostConstants = 8;

/// `value` as the result of an op: whole numbers wrap at 32 bits.
Number wholeNumber(Operation &op, Number value) {
  if (!value || typeOf(op.getResult(0)).isFloat())
    return value;
  constexpr double exact = 0x1p53;
  return std::abs(*value) < exact ? Number(double(wrapped(int64_t(*value)))) : std::nullopt;
}

/// Both formulas hold of the same constant, so it differs only where both say so.
void put(Fact &fact, Number constant, const Formula &where) {
  if (!constant || std::isnan(*constant) || where.isAnything())
    return;
  if (auto found = fact.differs.find(*constant); found != fact.differs.end())
    found->second = found->second & where;
  else if (fact.differs.size() < mostConstants)
    fact.differs.emplace(*constant, where);
}

Whole exactly(Linear form) {
  return Whole{std::move(form), Formula::anything()};
}

} // namespace

Fact Causality::elementwise(Operation &op) {
  Fact fact;
  if (auto each = dyn_cast<WhereOp>(op))
    fact = where(each);
  else if (auto each = dyn_cast<CompareOp>(op))
    fact = compare(each);
  else if (auto each = dyn_cast<ClampOp>(op))
    fact = clamp(each);
  else
    fact = op.getNumOperands() == 1 ? unary(op) : binary(op);
  fact.reach = reachOf(op);
  if (op.hasTrait<Wraps>() && fact.whole && !isWithinInt(*fact.whole))
    fact.whole.reset();
  NamedTensorType type = typeOf(op.getResult(0));
  if (type.isBool() && !fact.truth)
    fact.truth = Truth();
  if (type.isWhole() && !fact.whole)
    fact.whole = exactly(Linear::of(fresh()));
  return fact;
}

bool Causality::isWithinInt(const Whole &whole) const {
  std::optional<Linear> negative = sum(Linear(), whole.form, -1);
  Formula where =
      whole.where & Formula::atMost(Linear::of(Unknown::last()), Linear::number(mostPositions - 1));
  return negative && largest(where, whole.form) <= INT32_MAX &&
         largest(where, *negative) <= -double(INT32_MIN);
}

Fact Causality::unary(Operation &op) {
  const Fact &x = operand(op, 0);
  Fact fact;
  if (isa<NotOp>(op)) {
    Truth truth = x.truthOrUnknown();
    fact.truth = Truth{truth.no, truth.yes};
    return fact;
  }
  if (typeOf(op.getOperand(0)).isBool()) { // to a number, 0 or 1
    Truth truth = x.truthOrUnknown();
    put(fact, 0, truth.yes);
    put(fact, 1, truth.no);
    return fact;
  }
  for (const auto &[constant, where] : x.differs)
    put(fact, wholeNumber(op, applied(op, constant)), where);
  if (isa<NegOp>(op) && x.whole)
    if (auto negative = sum(Linear(), x.whole->form, -1))
      fact.whole = Whole{*negative, x.whole->where};
  return fact;
}

Fact Causality::binary(Operation &op) {
  const Fact &a = operand(op, 0), &b = operand(op, 1);
  Fact fact;
  if (isa<AndOp, OrOp>(op)) {
    Truth x = a.truthOrUnknown(), y = b.truthOrUnknown();
    fact.truth =
        isa<AndOp>(op) ? Truth{x.yes & y.yes, x.no | y.no} : Truth{x.yes | y.yes, x.no & y.no};
    return fact;
  }
  for (const auto &[x, here] : a.differs)
    for (const auto &[y, there] : b.differs)
      put(fact, wholeNumber(op, applied(op, x, y)), here | there);
  for (const auto &[x, here] : a.differs)
    put(fact, absorbed(op, x, true), here);
  for (const auto &[y, there] : b.differs)
    put(fact, absorbed(op, y, false), there);
  if (a.whole && b.whole)
    fact.whole = wholeOf(op, *a.whole, *b.whole);
  return fact;
}

std::optional<Whole> Causality::wholeOf(Operation &op, const Whole &a, const Whole &b) {
  Formula where = a.where & b.where;
  auto given = [&](const std::optional<Linear> &form) {
    return form ? std::optional(Whole{*form, where}) : std::nullopt;
  };
  if (isa<AddOp, SubOp>(op))
    return given(sum(a.form, b.form, isa<AddOp>(op) ? 1 : -1));
  if (isa<MulOp>(op)) {
    if (auto factor = b.form.asNumber())
      return given(sum(Linear(), a.form, *factor));
    if (auto factor = a.form.asNumber())
      return given(sum(Linear(), b.form, *factor));
  }
  // Other results are a new unknown with bounds.
  Linear result = Linear::of(fresh());
  if (isa<MinOp>(op))
    return Whole{result, where & Formula::atMost(result, a.form) & Formula::atMost(result, b.form)};
  if (isa<MaxOp>(op))
    return Whole{result, where & Formula::atMost(a.form, result) & Formula::atMost(b.form, result)};
  auto divisor = b.form.asNumber();
  if (!divisor || *divisor <= 0)
    return std::nullopt;
  if (isa<ModOp>(op)) // 0 <= result < divisor
    return Whole{result,
                 where & Formula::atMost(Linear(), result) & Formula::atMost(result, b.form, 1)};
  if (isa<FloorDivOp>(op)) { // result * divisor <= a < result * divisor + divisor
    auto product = sum(Linear(), result, *divisor);
    auto next = product ? sum(*product, Linear::number(*divisor)) : std::nullopt;
    if (next)
      return Whole{result,
                   where & Formula::atMost(*product, a.form) & Formula::atMost(a.form, *next, 1)};
  }
  return std::nullopt;
}

Fact Causality::compare(CompareOp op) {
  const Fact &a = operand(*op, 0), &b = operand(*op, 1);
  Fact fact;
  if (!a.whole || !b.whole)
    return fact;
  const Linear &x = a.whole->form, &y = b.whole->form;
  Formula side = a.whole->where & b.whole->where;
  Formula le = Formula::atMost(x, y), lt = Formula::atMost(x, y, 1), ge = Formula::atMost(y, x),
          gt = Formula::atMost(y, x, 1);
  Truth truth;
  switch (op.getPredicate()) {
  case Comparison::lt:
    truth = {lt, ge};
    break;
  case Comparison::le:
    truth = {le, gt};
    break;
  case Comparison::gt:
    truth = {gt, le};
    break;
  case Comparison::ge:
    truth = {ge, lt};
    break;
  case Comparison::eq:
    truth = {le & ge, lt | gt};
    break;
  case Comparison::ne:
    truth = {lt | gt, le & ge};
    break;
  }
  fact.truth = Truth{truth.yes & side, truth.no & side};
  return fact;
}

Fact Causality::where(WhereOp op) {
  const Fact &a = of(op.getThen()), &b = of(op.getOtherwise());
  Truth condition = of(op.getCondition()).truthOrUnknown();
  Fact fact;
  auto either = [&](const Formula &then, const Formula &otherwise) {
    return (condition.yes & then) | (condition.no & otherwise);
  };
  for (const Fact *side : {&a, &b})
    for (const auto &[constant, unused] : side->differs)
      put(fact, constant, either(a.differsFrom(constant), b.differsFrom(constant)));
  if (a.truth && b.truth)
    fact.truth = Truth{either(a.truth->yes, b.truth->yes), either(a.truth->no, b.truth->no)};
  if (a.whole && b.whole) {
    Linear result = Linear::of(fresh());
    fact.whole = Whole{result, either(a.whole->where & Formula::equal(result, a.whole->form),
                                      b.whole->where & Formula::equal(result, b.whole->form))};
  }
  return fact;
}

// Inside, below or above the range: three cases.
Fact Causality::clamp(ClampOp op) {
  const Fact &x = operand(*op, 0);
  Fact fact;
  std::optional<int64_t> fixed = dims.fixed(op.getDimAttr());
  if (!x.whole || (!fixed && !grows(op.getDimAttr())))
    return fact;
  Linear last = fixed ? Linear::number(*fixed - 1) : Linear::of(Unknown::last());
  Linear result = Linear::of(fresh()), zero;
  const Linear &given = x.whole->form;
  Formula inside = Formula::equal(result, given) & Formula::atMost(zero, given);
  Formula below = Formula::equal(result, zero) & Formula::atMost(given, zero);
  Formula above = Formula::equal(result, last) & Formula::atMost(last, given);
  fact.whole = Whole{result, x.whole->where & (inside | below | above)};
  return fact;
}

} // namespace weft::decode
