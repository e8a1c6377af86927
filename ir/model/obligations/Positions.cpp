// Intervals of ops, in program order; loops until the intervals of what they carry are stable.
#include "ir/model/obligations/Positions.h"

#include "ir/model/infer/Align.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

static constexpr size_t mostSpans = 12;
static constexpr unsigned mostSteps = 500000; ///< more than any program that people write needs

static bool isWhole(Value value) {
  return isa<NamedTensorType>(value.getType()) && typeOf(value).isWhole();
}

Positions::Positions(func::FuncOp function, const Dims &dims)
    : dims(dims), known(dims), facts(known.facts()), intervals(facts) {
  SmallVector<GatherOp> gathers;
  function.walk([&](GatherOp op) { gathers.push_back(op); });
  if (gathers.empty())
    return;
  for (BlockArgument argument : function.getArguments()) // inputs are checked in every run
    if (DimAttr index = typeOf(argument).indexed())
      set(argument, among(index));
  visit(function.front());
  if (steps > mostSteps)
    found.clear(); // loops did not get stable: what was found is not proved
  for (GatherOp op : gathers)
    checkIndex(op, op.getDimAttr(), op.getIndex());
}

//===-- what values are ---------------------------------------------------------------------===//

Spans Positions::of(Value value) const {
  auto entry = found.find(value);
  if (entry != found.end())
    return entry->second;
  return isWhole(value) ? Spans{everything()} : Spans();
}

void Positions::set(Value value, Spans spans) {
  if (spans.empty() || spans.size() > mostSpans)
    found.erase(value);
  else
    found[value] = std::move(spans);
}

Spans Positions::among(DimAttr dim) {
  return intervals.positions(dims.size(dim));
}

void Positions::visit(Block &block) {
  for (Operation &op : block) {
    if (++steps > mostSteps)
      return;
    if (auto loop = dyn_cast<RepeatOp>(op))
      visit(loop);
    else if (op.getNumResults() == 1 && isa<NamedTensorType>(op.getResult(0).getType()))
      set(op.getResult(0), compute(&op));
  }
}

/// The intervals without limits that depend on premises: a premise holds of one pass, and a carried
/// value's interval must hold in all.
static Spans withoutPremises(Spans spans) {
  auto hasPremises = [](const Limit &limit) { return !limit.premises.empty(); };
  for (Span &span : spans) {
    for (std::vector<Limit> *list : {&span.low, &span.high}) {
      llvm::erase_if(*list, hasPremises);
      if (list->empty())
        return {};
      list->resize(1);
    }
  }
  return spans;
}

/// A carried value stays in the interval of its initial value, if a pass that finds it there yields
/// it there (induction over passes).
void Positions::visit(RepeatOp loop) {
  Block &body = loop.getBody().front();
  unsigned carried = loop.getNumCarried();
  SmallVector<Spans> begin;
  for (BlockArgument argument : body.getArguments()) {
    unsigned at = argument.getArgNumber();
    if (at >= carried) {
      set(argument, of(loop.getSlices()[at - carried]));
      continue;
    }
    begin.push_back(withoutPremises(of(loop.getCarried()[at])));
    set(argument, begin.back());
  }
  for (bool stable = false; !stable && steps <= mostSteps;) {
    visit(body);
    stable = true;
    for (unsigned at = 0; at < carried; ++at)
      if (!begin[at].empty() && !staysIn(of(loop.getYield().getValues()[at]), begin[at])) {
        begin[at].clear();
        found.erase(body.getArgument(at));
        stable = false;
      }
  }
  for (OpResult result : loop->getResults()) {
    unsigned at = result.getResultNumber();
    set(result, of(at < carried ? Value(body.getArgument(at)) : loop.getYield().getValues()[at]));
  }
}

bool Positions::staysIn(const Spans &next, const Spans &begin) const {
  auto within = [&](const Span &span, const Span &around) {
    auto holds = [&](const std::vector<Limit> &limits, auto notBeyond) {
      return llvm::any_of(limits, [&](const Limit &limit) {
        return limit.premises.empty() && isNonNegative(notBeyond(limit.at), facts);
      });
    };
    return holds(span.low, [&](const Size &at) { return at - around.low.front().at; }) &&
           holds(span.high, [&](const Size &at) { return around.high.front().at - at; });
  };
  return !next.empty() && llvm::all_of(next, [&](const Span &span) {
    return llvm::any_of(begin, [&](const Span &around) { return within(span, around); });
  });
}

std::optional<Spans> Positions::arithmetic(Operation *op, Kind kind) {
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  if (isa<AddOp>(op))
    return intervals.sum(operand(0), operand(1), kind);
  if (isa<SubOp>(op))
    return intervals.difference(operand(0), operand(1), kind);
  if (isa<MulOp>(op))
    return intervals.product(operand(0), operand(1), kind);
  if (isa<NegOp>(op))
    return intervals.difference({{{{Size()}}, {{Size()}}}}, operand(0), kind);
  if (isa<MaxOp>(op))
    return intervals.larger(operand(0), operand(1), kind);
  if (isa<MinOp>(op))
    return intervals.smaller(operand(0), operand(1), kind);
  if (isa<FloorDivOp, DivOp>(op))
    return intervals.quotient(operand(0), operand(1), kind);
  return std::nullopt;
}

Spans Positions::compute(Operation *op) {
  Value value = op->getResult(0);
  if (auto moving = dyn_cast<Moving>(op)) {
    Spans all = of(moving.sources().front());
    for (Value operand : moving.sources().drop_front())
      all = all.size() > mostSpans ? Spans() : either(std::move(all), of(operand));
    return all;
  }
  if (auto choice = dyn_cast<WhereOp>(op))
    return either(of(choice.getThen()), of(choice.getOtherwise()));
  if (!isWhole(value))
    return typeOf(value).isFloat() ? computeFloat(op) : Spans();
  if (auto literal = dyn_cast<ConstantOp>(op))
    return intervals.whole(Size::number(cast<IntegerAttr>(literal.getValue()).getInt()));
  if (auto size = dyn_cast<SizeOp>(op))
    return intervals.whole(known.resolve(size.getSize().getValue()));
  if (auto index = dyn_cast<IndexOp>(op))
    return among(index.getDimAttr());
  if (auto cut = dyn_cast<ClampOp>(op))
    return among(cut.getDimAttr());
  if (auto best = dyn_cast<ArgMaxOp>(op))
    return among(best.getOver().front());
  if (auto best = dyn_cast<TopOp>(op))
    return among(best.getDimAttr());
  if (isa<ToIntOp>(op))
    return {{{{Size()}}, {{Size::number(1)}}}};
  if (isa<ModOp>(op))
    return intervals.rest(of(op->getOperand(1)));
  if (isa<FloorOp>(op))
    return intervals.floor(of(op->getOperand(0)));
  return arithmetic(op, Kind::whole).value_or(Spans());
}

Spans Positions::computeFloat(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return Intervals::real(cast<FloatAttr>(constant.getValue()).getValueAsDouble());
  if (isa<ToFloatOp>(op) && isWhole(op->getOperand(0)))
    return intervals.asReal(of(op->getOperand(0)));
  return arithmetic(op, Kind::real).value_or(Spans());
}

//===-- indices of gathers ------------------------------------------------------------------===//

bool Positions::keepsInside(const Span &span, const Size &size, Operation *op, DimAttr dim) {
  // Of the limits that need an obligation, a constant is preferred: it is the position that the
  // program means.
  enum { proven, premised, askedOfNumber, asked, hopeless };
  auto asking = [](const Limit &limit) { return limit.at.constant() ? askedOfNumber : asked; };
  struct Choice {
    const Limit *limit = nullptr;
    int rank = hopeless;
  };
  auto better = [](Choice &choice, const Limit &limit, int rank) {
    if (rank < choice.rank)
      choice = {&limit, rank};
  };
  Choice low, high;
  for (const Limit &each : span.low)
    if (isNonNegative(each.at, facts))
      better(low, each, each.premises.empty() ? proven : premised);
    else if (!isExtreme(each) && !isPositive(Size() - each.at, facts))
      better(low, each, asking(each));
  for (const Limit &each : span.high)
    if (isPositive(size - each.at, facts))
      better(high, each, each.premises.empty() ? proven : premised);
    else if (!isExtreme(each) && !isNonNegative(each.at - size, facts) &&
             isReasonable(size * fraction(each.at).below))
      better(high, each, asking(each));
  if (low.rank == hopeless || high.rank == hopeless)
    return false;
  std::string along = "`" + written(op, dim) + "`" + lineOf(op->getLoc());
  std::string position = "a position along " + along;
  auto ask = [&](const Size &left, const Size &right, const Twine &text) {
    this->asked.push_back(obliged(op->getLoc(), "E0310", Relation::at_most, left, right, text));
  };
  for (unsigned each : united(low.limit->premises, high.limit->premises)) {
    Intervals::Premise premise = intervals.premise(each, position);
    ask(premise.left, premise.right, premise.text);
  }
  if (low.rank >= askedOfNumber) {
    Fraction at = fraction(low.limit->at);
    ask(Size(), at.above, position + " is {right}, but the first is {left}");
  }
  if (high.rank >= askedOfNumber) {
    Fraction at = fraction(high.limit->at);
    ask(at.above + Size::number(1), size * at.below,
        position + " needs {left} positions, but there are {right}");
  }
  return true;
}

void Positions::checkIndex(Operation *op, DimAttr dim, Value index) {
  Size size = dims.size(dim);
  size_t before = asked.size();
  for (const Span &span : of(index))
    if (!keepsInside(span, size, op, dim)) {
      asked.erase(asked.begin() + before, asked.end());
      open.push_back(op);
      return;
    }
}

void weft::model::settleIndex(OpBuilder &builder, GatherOp gather, const Dims &dims) {
  DimAttr of = typeOf(gather.getIndex()).indexed();
  if (of && !Known(dims).isAmong(of, gather.getDimAttr()))
    gather.getIndexMutable().assign(
        restated(builder, gather.getLoc(), gather.getIndex(), builder.getI32Type()));
}
