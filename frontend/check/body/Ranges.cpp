// Interval arithmetic over sizes.
#include "frontend/check/body/Ranges.h"

#include <algorithm>

namespace weft::sema {

static constexpr size_t mostRanges = 6, mostLimits = 4;

static Size one() {
  return Size::number(1);
}

IndexRanges only(const Size &size) {
  return {{{size}, {size}}};
}

IndexRanges rangesOf(const Value &value) {
  if (!value.ranges.empty() || !value.type.element.isIndex())
    return value.ranges;
  const Dim *dim = value.type.element.dim;
  if (dim->broken)
    return {};
  return {{{Size()}, {dim->size - one()}}};
}

std::optional<Size> exact(const IndexRanges &ranges) {
  if (ranges.size() != 1 || ranges[0].low.front() != ranges[0].high.front())
    return std::nullopt;
  return ranges[0].low.front();
}

//===-- limits ------------------------------------------------------------------------------===//

/// Those that no other one of them makes needless. `isBetter(a, b)`: `a` says all that `b` says.
template <typename Better>
static std::vector<Size> sharpest(const std::vector<Size> &limits, Better isBetter) {
  std::vector<Size> kept;
  for (const Size &limit : limits) {
    if (std::ranges::any_of(kept, [&](const Size &each) { return isBetter(each, limit); }))
      continue;
    std::erase_if(kept, [&](const Size &each) { return isBetter(limit, each); });
    if (kept.size() < mostLimits)
      kept.push_back(limit);
  }
  return kept;
}

static std::vector<Size> joined(std::vector<Size> a, const std::vector<Size> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Those of one list that something in the other allows for: they hold of both.
template <typename Weaker>
static std::vector<Size> ofBoth(const std::vector<Size> &a, const std::vector<Size> &b,
                                Weaker isWeaker) {
  std::vector<Size> both;
  for (const auto &[list, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const Size &limit : *list)
      if (std::ranges::any_of(*other, [&](const Size &each) { return isWeaker(limit, each); }))
        both.push_back(limit);
  return both;
}

namespace {
/// The order of sizes, as far as it is known.
struct Order {
  const Bounds &bounds;

  bool isAtMost(const Size &a, const Size &b) const { return isNonNegative(b - a, bounds); }
  std::vector<Size> highest(const std::vector<Size> &lows) const {
    return sharpest(lows, [&](const Size &a, const Size &b) { return isAtMost(b, a); });
  }
  std::vector<Size> lowest(const std::vector<Size> &highs) const {
    return sharpest(highs, [&](const Size &a, const Size &b) { return isAtMost(a, b); });
  }
  /// Not above either.
  std::vector<Size> lowsOfBoth(const IndexRange &a, const IndexRange &b) const {
    return highest(
        ofBoth(a.low, b.low, [&](const Size &x, const Size &y) { return isAtMost(x, y); }));
  }
  /// Not below either.
  std::vector<Size> highsOfBoth(const IndexRange &a, const IndexRange &b) const {
    return lowest(
        ofBoth(a.high, b.high, [&](const Size &x, const Size &y) { return isAtMost(y, x); }));
  }
};
} // namespace

/// Every range of one with every one of the other; nothing where one of them gives nothing.
template <typename Function>
static IndexRanges pairs(const IndexRanges &a, const IndexRanges &b, Function function) {
  IndexRanges all;
  for (const IndexRange &x : a)
    for (const IndexRange &y : b) {
      IndexRanges some = function(x, y);
      if (some.empty())
        return {};
      for (IndexRange &range : some)
        if (std::ranges::none_of(all, [&](const IndexRange &each) {
              return each.low == range.low && each.high == range.high;
            }))
          all.push_back(std::move(range));
      if (all.size() > mostRanges)
        return {};
    }
  return all;
}

//===-- arithmetic --------------------------------------------------------------------------===//

/// `f` of every pair of limits.
template <typename Function>
static std::vector<Size> each(const std::vector<Size> &a, const std::vector<Size> &b, Function f) {
  std::vector<Size> result;
  for (const Size &x : a)
    for (const Size &y : b)
      if (result.size() < mostLimits)
        result.push_back(f(x, y));
  return result;
}

static bool hasNonNegative(const std::vector<Size> &lows, const Bounds &bounds) {
  return std::ranges::any_of(lows, [&](const Size &low) { return isNonNegative(low, bounds); });
}

IndexRanges combine(ast::BinaryOp op, const Value &a, const Value &b, const Bounds &bounds) {
  using Op = ast::BinaryOp;
  IndexRanges x = rangesOf(a), y = rangesOf(b);
  std::optional<Size> divisor = exact(y);
  if (divisor && !isPositive(*divisor, bounds))
    divisor.reset();
  if (op == Op::remainder) // has the sign of the divisor
    if (divisor && !a.type.element.isReal() && !b.type.element.isReal())
      return {{{Size()}, {*divisor - one()}}};
  auto plus = [](const Size &s, const Size &t) { return s + t; };
  auto minus = [](const Size &s, const Size &t) { return s - t; };
  auto by = [](const Size &s, const Size &t) { return divide(s, t); };
  return pairs(x, y, [&](const IndexRange &s, const IndexRange &t) -> IndexRanges {
    switch (op) {
    case Op::add:
      return {{each(s.low, t.low, plus), each(s.high, t.high, plus)}};
    case Op::subtract:
      return {{each(s.low, t.high, minus), each(s.high, t.low, minus)}};
    case Op::multiply:
      if (!hasNonNegative(s.low, bounds) || !hasNonNegative(t.low, bounds))
        return {};
      return {{each(s.low, t.low, multiply), each(s.high, t.high, multiply)}};
    case Op::divide:
      if (!divisor || divisor->terms().size() != 1)
        return {};
      return {{each(s.low, {*divisor}, by), each(s.high, {*divisor}, by)}};
    default:
      return {};
    }
  });
}

IndexRanges negated(const IndexRanges &ranges) {
  IndexRanges result = ranges;
  for (IndexRange &range : result) {
    std::swap(range.low, range.high);
    for (std::vector<Size> *limits : {&range.low, &range.high})
      for (Size &limit : *limits)
        limit = Size() - limit;
  }
  return result;
}

/// Not below either, and one of the two: where no one limit holds of both, one of two ranges.
IndexRanges largest(const Value &a, const Value &b, const Bounds &bounds) {
  Order order{bounds};
  return pairs(rangesOf(a), rangesOf(b), [&](const IndexRange &x, const IndexRange &y) {
    std::vector<Size> low = order.highest(joined(x.low, y.low)), high = order.highsOfBoth(x, y);
    return high.empty() ? IndexRanges{{low, x.high}, {low, y.high}} : IndexRanges{{low, high}};
  });
}

IndexRanges smallest(const Value &a, const Value &b, const Bounds &bounds) {
  Order order{bounds};
  return pairs(rangesOf(a), rangesOf(b), [&](const IndexRange &x, const IndexRange &y) {
    std::vector<Size> high = order.lowest(joined(x.high, y.high)), low = order.lowsOfBoth(x, y);
    return low.empty() ? IndexRanges{{x.low, high}, {y.low, high}} : IndexRanges{{low, high}};
  });
}

IndexRanges either(IndexRanges a, const IndexRanges &b, const Bounds &bounds) {
  Order order{bounds};
  return pairs(a, b, [&](const IndexRange &x, const IndexRange &y) {
    std::vector<Size> low = order.lowsOfBoth(x, y), high = order.highsOfBoth(x, y);
    return low.empty() || high.empty() ? IndexRanges{x, y} : IndexRanges{{low, high}};
  });
}

/// Whole above zero is still above zero; other low ends may round down.
IndexRanges floored(IndexRanges ranges, const Bounds &bounds) {
  for (IndexRange &range : ranges) {
    if (!hasNonNegative(range.low, bounds))
      return {};
    std::erase_if(range.low, [](const Size &low) { return !low.constant(); });
    if (!hasNonNegative(range.low, bounds))
      range.low.push_back(Size());
  }
  return ranges;
}

bool fits(const IndexRanges &ranges, const Size &size, const Bounds &bounds) {
  // A size is at least 1, also one that is computed: it has a position 0, and its last one is not
  // negative. A whole number below a whole size is at most the last position.
  auto isAboveFirst = [&](const Size &low) {
    return isNonNegative(low, bounds) || isNonNegative(low - size + Size::number(1), bounds);
  };
  auto isBelowEnd = [&](const Size &high) {
    return isPositive(size - high, bounds) || isNonNegative(Size() - high, bounds);
  };
  return !ranges.empty() && std::ranges::all_of(ranges, [&](const IndexRange &range) {
    return std::ranges::any_of(range.low, isAboveFirst) &&
           std::ranges::any_of(range.high, isBelowEnd);
  });
}

std::string show(const IndexRanges &ranges) {
  if (std::optional<Size> value = exact(ranges))
    return show(*value);
  std::string text;
  for (const IndexRange &range : ranges)
    text += (text.empty() ? "from " : ", or from ") + show(range.low.front()) + " to " +
            show(range.high.front());
  return text.empty() ? "any whole number" : text;
}

} // namespace weft::sema
