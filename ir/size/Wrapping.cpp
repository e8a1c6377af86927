// The effect of wrapping and rounding on an interval, and the premises under which there is none.
#include "ir/size/Intervals.h"

#include <cmath>

using namespace weft;
using namespace weft::model;

static constexpr int64_t exactFloats = int64_t(1) << 24; ///< whole numbers up to here are floats
/// Rounding changes a number by much less than one part in so many; coarse, so that fractions stay
/// small.
static constexpr int64_t parts = int64_t(1) << 16;

const Intervals::Range Intervals::ints{leastInt, mostInt, "an `int` holds"};
const Intervals::Range Intervals::floats{-exactFloats, exactFloats, "a float holds exactly"};

static Size number(int64_t value) {
  return Size::number(value);
}

/// The number of the premise `left <= right`; nothing if it never holds.
std::optional<unsigned> Intervals::premised(const Size &left, const Size &right,
                                            const std::string &text) {
  if (isNonNegative(right - left, facts))
    return always;
  if (isPositive(left - right, facts) || !isUsable(left) || !isUsable(right))
    return std::nullopt;
  Fraction a = fraction(left), b = fraction(right);
  Premise premise{a.above * b.below, b.above * a.below, text};
  if (!isReasonable(premise.left) || !isReasonable(premise.right))
    return std::nullopt;
  auto [found, isNew] =
      numbers.try_emplace({premise.left.str(), premise.right.str()}, premises.size());
  if (isNew)
    premises.push_back(std::move(premise));
  return found->second;
}

Intervals::Premise Intervals::premise(unsigned number, const std::string &along) const {
  Premise result = premises[number];
  result.text = along + result.text;
  return result;
}

std::optional<unsigned> Intervals::notBelow(const Size &at, const Range &range) {
  return premised(number(range.least), at,
                  std::string(" is computed by way of {right}, but the least that ") + range.what +
                      " is {left}");
}

std::optional<unsigned> Intervals::notAbove(const Size &at, const Range &range) {
  return premised(at, number(range.most),
                  std::string(" is computed by way of {left}, but the most that ") + range.what +
                      " is {right}");
}

/// `span` with limits that depend on the value being in `range`; nothing if it never is.
std::optional<Span> Intervals::inside(const Span &span, const Range &range) {
  const Limit &low = span.low.front(), &high = span.high.front();
  std::set<unsigned> needed = united(low.premises, high.premises);
  for (std::optional<unsigned> premise : {notBelow(low.at, range), notAbove(high.at, range)}) {
    if (!premise)
      return std::nullopt;
    if (*premise != always)
      needed.insert(*premise);
  }
  Span fitting = span;
  for (std::vector<Limit> *list : {&fitting.low, &fitting.high})
    for (Limit &each : *list)
      each.premises = united(each.premises, needed);
  return fitting;
}

/// Ints: in their interval if nothing wraps, else anywhere.
Spans Intervals::wrapped(Spans spans) {
  for (Span &span : spans) {
    Span any = everything();
    std::optional<Span> fitting = inside(span, ints);
    if (fitting)
      any = {merged(fitting->low, any.low), merged(fitting->high, any.high)};
    span = std::move(any);
  }
  return spans;
}

/// Whether floats of this size are normal: far from infinity and, if not 0, from what is too small.
static bool isModerate(const Size &size) {
  constexpr double most = 0x1p100;
  auto largest = [](const Size &sum) { // every dimension is an int
    double total = 0;
    for (const auto &[powers, coefficient] : sum.terms()) {
      double term = std::abs(double(coefficient.numerator));
      for (const auto &[name, power] : powers)
        term *= std::pow(double(mostInt), power);
      total += term;
    }
    return total;
  };
  if (!isUsable(size))
    return false;
  Fraction at = fraction(size);
  return largest(at.above) <= most && largest(at.below) <= most;
}

/// The first limits of both lists, then the others.
static std::vector<Limit> alternating(const std::vector<Limit> &a, const std::vector<Limit> &b) {
  std::vector<Limit> heads;
  for (const std::vector<Limit> *list : {&a, &b})
    if (!list->empty())
      heads.push_back(list->front());
  return merged(merged(std::move(heads), a), b);
}

/// Floats are rounded: by much less than the 2^16th part (coarse, so that fractions stay small),
/// and never past a whole number that is itself a float. Ints are always finite; results of floats
/// are if their limits hold, so all limits depend on the same premises as these.
std::optional<Span> Intervals::rounded(Span span, bool isInt) {
  if (!isInt && !(isModerate(span.low.front().at) && isModerate(span.high.front().at)))
    return std::nullopt;
  std::set<unsigned> finite =
      isInt ? std::set<unsigned>() : united(span.low.front().premises, span.high.front().premises);
  auto near = [&](const std::vector<Limit> &limits, bool up) {
    std::vector<Limit> result;
    for (const Limit &each : limits) {
      bool notBelow0 = isNonNegative(each.at, facts);
      if (!isModerate(each.at) || (!notBelow0 && !isNonNegative(Size() - each.at, facts)))
        continue;
      Size at = each.at * number(notBelow0 == up ? parts + 1 : parts - 1) / number(parts);
      if (isUsable(at))
        result.push_back({at, united(each.premises, finite)});
    }
    return result;
  };
  Span about{near(span.low, false), near(span.high, true)}, cut = span;
  for (Limit &low : cut.low)
    low.at = roundedDown(low.at);
  for (Limit &high : cut.high)
    high.at = roundedUp(high.at);
  std::optional<Span> fitted = inside(cut, floats);
  if (fitted) { // limits without further premises first, and the best of both before all others
    bool sure = fitted->low.front().premises == finite;
    about.low = alternating(sure ? fitted->low : about.low, sure ? about.low : fitted->low);
    about.high = alternating(sure ? fitted->high : about.high, sure ? about.high : fitted->high);
  }
  auto strange = [](const Limit &limit) { return !isUsable(limit.at); };
  std::erase_if(about.low, strange);
  std::erase_if(about.high, strange);
  if (about.low.empty() || about.high.empty())
    return std::nullopt;
  return about;
}
