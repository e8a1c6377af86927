// Interval arithmetic over sizes, on ops, as programs compute: ints wrap at 32 bits, floats round.
#include "ir/model/Positions.h"

#include "ir/model/Align.h"

#include <cmath>

using namespace mlir;
using namespace weft;
using namespace weft::model;

namespace {
constexpr int64_t exactFloats = int64_t(1) << 24; ///< whole numbers up to here are floats
constexpr size_t mostSpans = 12;

Size whole(int64_t value) {
  return Size::number(value);
}

/// The first limits of two lists, every one of one with every one of the other.
template <typename Function>
std::vector<Limit> pairs(const std::vector<Limit> &a, const std::vector<Limit> &b,
                         Function function) {
  std::vector<Limit> result;
  for (const Limit &x : ArrayRef(a).take_front(2))
    for (const Limit &y : ArrayRef(b).take_front(2))
      if (Size at = function(x.at, y.at); isReasonable(at))
        result.push_back({at, united(x.rests, y.rests)});
  return result;
}

bool isWhole(Value value) {
  return !typeOf(value).isFloat() && !typeOf(value).isBool();
}

/// A float that is a fraction of small numbers.
std::optional<Size> rational(double value) {
  constexpr double parts = 1 << 16;
  if (!(std::abs(value) <= exactFloats) || value * parts != std::floor(value * parts) ||
      static_cast<double>(static_cast<float>(value)) != value)
    return std::nullopt;
  return whole(static_cast<int64_t>(value * parts)) / whole(1 << 16);
}
} // namespace

Positions::Positions(func::FuncOp function, const Dims &dims)
    : function(function), dims(dims), known(dims), facts(known.facts()) {
  function.walk([&](GatherOp op) { lookUp(op, op.getDimAttr(), op.getIndex()); });
}

//===-- what values are ---------------------------------------------------------------------===//

Positions::Spans Positions::of(Value value) {
  auto found = memo.find(value);
  if (found != memo.end())
    return found->second;
  Spans spans = compute(value);
  if (spans.size() > mostSpans)
    spans.clear();
  if (spans.empty() && isWhole(value))
    spans = {everything()};
  memo[value] = spans;
  return spans;
}

Positions::Spans Positions::among(StringAttr dim) {
  Size size = dims.size(dim);
  if (size.isUndefined())
    return {};
  return fit({{{{Size(), {}}}, {{size - whole(1), {}}}}}, leastInt, mostInt, "an `int` holds");
}

Positions::Spans Positions::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (isa<RepeatOp>(argument.getOwner()->getParentOp()))
      return carried(argument);
    auto index = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "weft.index");
    return index ? among(index) : Spans(); // what comes in is looked at when it does
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<RepeatOp>(op)) {
    unsigned at = cast<OpResult>(value).getResultNumber();
    return of(at < loop.getNumCarried() ? Value(loop.getPassCarried()[at])
                                        : loop.getYield().getValues()[at]);
  }
  if (isWhole(value) && isa<ConstantOp, SizeOp>(op)) {
    auto literal = dyn_cast<ConstantOp>(op);
    Size size = literal ? whole(cast<IntegerAttr>(literal.getValue()).getInt())
                        : known.resolve(cast<SizeOp>(op).getSize().getValue());
    if (!isReasonable(size))
      return {};
    return fit({{{{size, {}}}, {{size, {}}}}}, leastInt, mostInt, "an `int` holds");
  }
  if (auto index = dyn_cast<IndexOp>(op))
    return among(index.getDimAttr());
  if (auto cut = dyn_cast<ClampOp>(op))
    return among(cut.getDimAttr());
  if (auto best = dyn_cast<ArgMaxOp>(op))
    return among(cast<StringAttr>(best.getOver()[0]));
  if (auto best = dyn_cast<TopOp>(op))
    return among(best.getDimAttr());
  if (isa<BroadcastOp, ArrangeOp, RegroupOp, PartOp, PickOp, GatherOp>(op))
    return of(op->getOperand(0));
  if (isa<InsertPartOp, StackOp, ConcatOp>(op)) {
    Spans all = of(op->getOperand(0));
    for (Value operand : op->getOperands().drop_front())
      all = joined(std::move(all), of(operand));
    return all;
  }
  if (auto choice = dyn_cast<WhereOp>(op))
    return joined(of(choice.getThen()), of(choice.getOtherwise()));
  if (isa<MaxOp, MinOp>(op))
    return extreme(of(op->getOperand(0)), of(op->getOperand(1)), isa<MaxOp>(op));
  if (isa<ToIntOp>(op))
    return {{{{Size(), {}}}, {{whole(1), {}}}}};
  if (isa<FloorDivOp>(op))
    return quotient(of(op->getOperand(0)), of(op->getOperand(1)));
  if (isa<ModOp>(op) && isWhole(value))
    return rest(of(op->getOperand(1)));
  if (isa<FloorOp>(op)) {
    Spans spans = of(op->getOperand(0));
    for (Span &span : spans)
      for (Limit &low : span.low) { // a whole number above `a / b - 1`
        Fraction at = fraction(low.at);
        low.at = (at.above - at.below + whole(1)) / at.below;
      }
    return spans;
  }
  if (isa<AddOp, SubOp, MulOp, NegOp>(op) && isWhole(value))
    return fit(arithmetic(op), leastInt, mostInt, "an `int` holds");
  return typeOf(value).isFloat() ? computeFloat(op) : Spans();
}

Positions::Spans Positions::computeFloat(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    std::optional<Size> value = rational(cast<FloatAttr>(constant.getValue()).getValueAsDouble());
    if (!value)
      return {};
    return {{{{*value, {}}}, {{*value, {}}}}};
  }
  if (isa<ToFloatOp>(op) && isWhole(op->getOperand(0)))
    return rounded(of(op->getOperand(0)));
  if (isa<AddOp, SubOp, MulOp, NegOp>(op))
    return rounded(arithmetic(op));
  if (isa<DivOp>(op))
    return rounded(quotient(of(op->getOperand(0)), of(op->getOperand(1))));
  return {};
}

/// What a loop carries lies where it began, if a pass that finds it there leaves it there.
Positions::Spans Positions::carried(BlockArgument argument) {
  auto loop = cast<RepeatOp>(argument.getOwner()->getParentOp());
  unsigned at = argument.getArgNumber();
  if (at >= loop.getNumCarried())
    return of(loop.getSlices()[at - loop.getNumCarried()]);
  Spans begin = of(loop.getCarried()[at]);
  if (begin.empty())
    return {};
  llvm::DenseMap<Value, Spans> before = memo;
  memo[argument] = begin;
  Spans next = of(loop.getYield().getValues()[at]);
  bool stays = !next.empty() && llvm::all_of(next, [&](const Span &each) {
    return llvm::any_of(begin, [&](const Span &one) {
      auto has = [](const std::vector<Limit> &list, const Limit &limit) {
        return llvm::any_of(list, [&](const Limit &other) { return other.at == limit.at; });
      };
      return has(each.low, one.low.front()) && has(each.high, one.high.front());
    });
  });
  // Only what needs nothing: what a premise of one pass rests on would have to hold in all.
  stays &= llvm::all_of(begin, [](const Span &one) {
    return one.low.front().rests.empty() && one.high.front().rests.empty();
  });
  stays &= llvm::all_of(next, [](const Span &each) {
    return llvm::all_of(each.low, [](const Limit &limit) { return limit.rests.empty(); }) &&
           llvm::all_of(each.high, [](const Limit &limit) { return limit.rests.empty(); });
  });
  memo = std::move(before); // what was found inside rested on the assumption
  if (!stays)
    return {};
  for (Span &span : begin) {
    span.low.resize(1);
    span.high.resize(1);
  }
  return begin;
}

//===-- arithmetic --------------------------------------------------------------------------===//

Positions::Spans Positions::joined(Spans a, const Spans &b) const {
  if (a.empty() || b.empty())
    return {};
  for (const Span &span : b)
    if (llvm::none_of(a, [&](const Span &each) {
          return each.low.front().at == span.low.front().at &&
                 each.high.front().at == span.high.front().at && each.low.size() == 1 &&
                 each.high.size() == 1 && span.low.size() == 1 && span.high.size() == 1 &&
                 each.low.front().rests == span.low.front().rests &&
                 each.high.front().rests == span.high.front().rests;
        }))
      a.push_back(span);
  return a;
}

Positions::Spans Positions::extreme(const Spans &a, const Spans &b, bool largest) {
  Spans result;
  for (const Span &x : a)
    for (const Span &y : b) {
      // It is one of the two, and not below (above) either.
      Span first = x, second = y;
      if (largest) {
        first.low = merged(x.low, y.low);
        second.low = merged(y.low, x.low);
      } else {
        first.high = merged(x.high, y.high);
        second.high = merged(y.high, x.high);
      }
      result.push_back(std::move(first));
      result.push_back(std::move(second));
    }
  return result;
}

Positions::Spans Positions::arithmetic(Operation *op) {
  Spans a = of(op->getOperand(0));
  Spans b =
      op->getNumOperands() > 1 ? of(op->getOperand(1)) : Spans{{{{Size(), {}}}, {{Size(), {}}}}};
  if (a.empty() || b.empty() || a.size() * b.size() > mostSpans)
    return {};
  auto notBelow0 = [&](const Span &span) -> const Limit * {
    for (const Limit &low : span.low)
      if (isNonNegative(low.at, facts))
        return &low;
    return nullptr;
  };
  auto times = [](const Size &x, const Size &y) { return x * y; };
  auto minus = [](const Size &x, const Size &y) { return x - y; };
  Spans result;
  for (const Span &x : a)
    for (const Span &y : b) {
      Span span;
      if (isa<AddOp>(op)) {
        auto plus = [](const Size &x, const Size &y) { return x + y; };
        span = {pairs(x.low, y.low, plus), pairs(x.high, y.high, plus)};
      } else if (isa<SubOp>(op)) {
        span = {pairs(x.low, y.high, minus), pairs(x.high, y.low, minus)};
      } else if (isa<NegOp>(op)) {
        span = {pairs(y.low, x.high, minus), pairs(y.high, x.low, minus)};
      } else {
        const Limit *left = notBelow0(x), *right = notBelow0(y);
        const Limit *point = exact(y);
        const Span &other = point ? x : y;
        if (!point)
          point = exact(x);
        if (left && right) {
          std::vector<Limit> low = {{left->at * right->at, united(left->rests, right->rests)}};
          span = {low, pairs(x.high, y.high, times)};
          for (Limit &high : span.high)
            high.rests = united(high.rests, low.front().rests);
        } else if (point && isNonNegative(point->at, facts)) {
          span = {pairs(other.low, {*point}, times), pairs(other.high, {*point}, times)};
        } else if (point && isNonNegative(Size() - point->at, facts)) {
          span = {pairs(other.high, {*point}, times), pairs(other.low, {*point}, times)};
        }
      }
      if (span.low.empty() || span.high.empty())
        return {};
      result.push_back(std::move(span));
    }
  return result;
}

/// `a / b`, of which `floor` is taken at some time; whole numbers round down at once.
Positions::Spans Positions::quotient(const Spans &a, const Spans &b) {
  Spans result;
  for (const Span &x : a)
    for (const Span &y : b) {
      const Limit *divisor = nullptr;
      for (const Limit &low : y.low)
        if (!divisor && isPositive(low.at, facts))
          divisor = &low;
      if (!divisor)
        return {};
      bool isPoint = exact(y) == divisor;
      Span span;
      for (const Limit &low : x.low)
        if (isNonNegative(low.at, facts))
          span.low.push_back({Size(), united(low.rests, divisor->rests)});
        else if (isPoint && !isExtreme(low))
          span.low.push_back(
              {(low.at - divisor->at + whole(1)) / divisor->at, united(low.rests, divisor->rests)});
      for (const Limit &high : x.high)
        if (isPoint || isNonNegative(high.at, facts))
          span.high.push_back({high.at / divisor->at, united(high.rests, divisor->rests)});
      auto strange = [](const Limit &each) { return !isReasonable(each.at); };
      llvm::erase_if(span.low, strange);
      llvm::erase_if(span.high, strange);
      if (span.low.empty() || span.high.empty())
        return {};
      result.push_back(std::move(span));
    }
  return result;
}

/// A remainder has the sign of the divisor and is nearer to 0, whatever is divided.
Positions::Spans Positions::rest(const Spans &b) {
  Spans result;
  for (const Span &y : b) {
    const Limit *divisor = nullptr;
    for (const Limit &low : y.low)
      if (!divisor && isPositive(low.at, facts))
        divisor = &low;
    if (!divisor)
      return {};
    Span span{{{Size(), divisor->rests}}, {}};
    for (const Limit &high : y.high)
      span.high.push_back({high.at - whole(1), united(high.rests, divisor->rests)});
    result.push_back(std::move(span));
  }
  return result;
}

//===-- what it rests on --------------------------------------------------------------------===//

/// The number of what must hold for `left <= right`; nothing if it never does. A premise that
/// always holds has no number: `always`.
static constexpr unsigned always = ~0u;

std::optional<unsigned> Positions::premise(const Size &left, const Size &right, StringRef what) {
  if (isNonNegative(right - left, facts))
    return always;
  if (isPositive(left - right, facts) || !isReasonable(left) || !isReasonable(right))
    return std::nullopt;
  Fraction a = fraction(left), b = fraction(right);
  premises.push_back({a.above * b.below, b.above * a.below, what.str()});
  return premises.size() - 1;
}

/// Values that lie within `least` and `most`, or else have wrapped (ints) or rounded (floats).
Positions::Spans Positions::fit(Spans spans, int64_t least, int64_t most, StringRef what) {
  bool wraps = most == mostInt;
  for (Span &span : spans) {
    const Limit &low = span.low.front(), &high = span.high.front();
    std::set<unsigned> rests = united(low.rests, high.rests);
    bool possible = true;
    for (auto [left, right] : {std::pair{whole(least), low.at}, {high.at, whole(most)}}) {
      std::optional<unsigned> premised = premise(left, right, what);
      possible &= premised.has_value();
      if (premised && *premised != always)
        rests.insert(*premised);
    }
    if (!possible && !wraps)
      return {};
    Span fitting;
    if (possible) {
      for (const Limit &each : span.low)
        fitting.low.push_back({each.at, united(each.rests, rests)});
      for (const Limit &each : span.high)
        fitting.high.push_back({each.at, united(each.rests, rests)});
    }
    if (wraps) {
      fitting.low = merged(fitting.low, everything().low);
      fitting.high = merged(fitting.high, everything().high);
    }
    span = std::move(fitting);
  }
  return spans;
}

/// Floats are rounded: by less than the 2^23rd part, and never past a whole number that is itself a
/// float.
Positions::Spans Positions::rounded(Spans spans) {
  constexpr int64_t parts = 1 << 23;
  auto times = [](const Size &size, int64_t above) { return size * whole(above) / whole(parts); };
  for (Span &span : spans) {
    llvm::erase_if(span.low, isExtreme);
    llvm::erase_if(span.high, isExtreme);
    if (span.low.empty() || span.high.empty())
      return {};
    Span near, cut = span;
    for (const Limit &low : span.low)
      if (isNonNegative(low.at, facts))
        near.low.push_back({times(low.at, parts - 1), low.rests});
    for (const Limit &high : span.high)
      if (isNonNegative(high.at, facts))
        near.high.push_back({times(high.at, parts + 1), high.rests});
    for (Limit &low : cut.low) {
      Fraction at = fraction(low.at);
      low.at = (at.above - at.below + whole(1)) / at.below;
    }
    for (Limit &high : cut.high) {
      Fraction at = fraction(high.at);
      high.at = (at.above + at.below - whole(1)) / at.below;
    }
    Spans fitted = fit({cut}, -exactFloats, exactFloats, "a float holds exactly");
    auto sure = [](const Limit &limit) { return limit.rests.empty(); };
    auto joinedLimits = [&](const std::vector<Limit> &exact, const std::vector<Limit> &about) {
      bool first = !exact.empty() && sure(exact.front());
      return first ? merged(exact, about) : merged(about, exact);
    };
    span.low = joinedLimits(fitted.empty() ? std::vector<Limit>() : fitted[0].low, near.low);
    span.high = joinedLimits(fitted.empty() ? std::vector<Limit>() : fitted[0].high, near.high);
    auto strange = [](const Limit &each) { return !isReasonable(each.at); };
    llvm::erase_if(span.low, strange);
    llvm::erase_if(span.high, strange);
    if (span.low.empty() || span.high.empty())
      return {};
  }
  return spans;
}

//===-- look-ups ----------------------------------------------------------------------------===//

bool Positions::keepsInside(const Span &span, const Size &size, Operation *op, StringAttr dim) {
  enum { proven, premised, asked, hopeless };
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
      better(low, each, each.rests.empty() ? proven : premised);
    else if (!isExtreme(each) && !isPositive(Size() - each.at, facts))
      better(low, each, asked);
  for (const Limit &each : span.high)
    if (isPositive(size - each.at, facts))
      better(high, each, each.rests.empty() ? proven : premised);
    else if (!isExtreme(each) && !isNonNegative(each.at - size, facts))
      better(high, each, asked);
  if (low.rank == hopeless || high.rank == hopeless)
    return false;
  // By the name that the source has for it: where it runs along itself, the old one stepped aside.
  std::vector<std::string> names = size.dims();
  bool isOne = names.size() == 1 && size == Size::dim(names.front());
  std::string along = "`" + (isOne ? names.front() : dim.str()) + "`" + lineOf(op->getLoc());
  auto ask = [&](const Size &left, const Size &right, const Twine &text) {
    this->asked.push_back(obliged(op->getLoc(), "E0310", Relation::at_most, left, right, text));
  };
  for (unsigned each : united(low.limit->rests, high.limit->rests)) {
    const Premise &premise = premises[each];
    ask(premise.left, premise.right,
        "a position along " + along + " is computed by way of {left}, but the limit of what " +
            premise.what + " is {right}");
  }
  if (low.rank == asked) {
    Fraction at = fraction(low.limit->at);
    ask(Size(), at.above, "a position along " + along + " is {right}, but the first is {left}");
  }
  if (high.rank == asked) {
    Fraction at = fraction(high.limit->at);
    ask(at.above + whole(1), size * at.below,
        "a position along " + along + " needs {left} positions, but there are {right}");
  }
  return true;
}

void Positions::lookUp(Operation *op, StringAttr dim, Value index) {
  Size size = dims.size(dim);
  size_t before = asked.size();
  for (const Span &span : of(index))
    if (!keepsInside(span, size, op, dim)) {
      asked.erase(asked.begin() + before, asked.end());
      open.push_back(op);
      return;
    }
}
