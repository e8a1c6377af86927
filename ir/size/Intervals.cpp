// Sums, products and quotients of intervals.
#include "ir/size/Intervals.h"

#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::model;

static constexpr size_t mostSpans = 12;

static Size number(int64_t value) {
  return Size::number(value);
}

static Spans nothing(Kind kind) {
  return kind == Kind::whole ? Spans{everything()} : Spans();
}

/// The first limits of two lists, every one of one with every one of the other.
template <typename Function>
static std::vector<Limit> pairs(const std::vector<Limit> &a, const std::vector<Limit> &b,
                                Function function) {
  constexpr size_t most = 2;
  std::vector<Limit> result;
  for (size_t i = 0; i < std::min(a.size(), most); ++i)
    for (size_t j = 0; j < std::min(b.size(), most); ++j)
      if (Size at = function(a[i].at, b[j].at); isUsable(at))
        result.push_back({at, united(a[i].premises, b[j].premises)});
  return result;
}

static Size plus(const Size &a, const Size &b) {
  return a + b;
}
static Size minus(const Size &a, const Size &b) {
  return a - b;
}
static Size times(const Size &a, const Size &b) {
  return a * b;
}

//===-- where values begin ------------------------------------------------------------------===//

Spans Intervals::whole(const Size &value) {
  if (!isUsable(value))
    return nothing(Kind::whole);
  return wrapped({{{{value}}, {{value}}}});
}

Spans Intervals::real(double value) {
  constexpr double parts = 1 << 16;
  if (!(std::abs(value) <= parts * 256) || value * parts != std::floor(value * parts) ||
      static_cast<double>(static_cast<float>(value)) != value)
    return {};
  Size size = number(static_cast<int64_t>(value * parts)) / number(1 << 16);
  return {{{{size}}, {{size}}}};
}

Spans Intervals::positions(const Size &size) {
  if (!isUsable(size))
    return nothing(Kind::whole);
  return wrapped({{{{Size()}}, {{size - number(1)}}}});
}

//===-- arithmetic --------------------------------------------------------------------------===//

Spans Intervals::combined(const Spans &a, const Spans &b, Kind kind,
                          const Combination &combination) {
  if (a.empty() || b.empty() || a.size() * b.size() > mostSpans)
    return nothing(kind);
  Spans result;
  for (const Span &x : a)
    for (const Span &y : b) {
      std::optional<Span> span = combination(x, y);
      if (!span || span->low.empty() || span->high.empty())
        return nothing(kind);
      if (kind == Kind::real)
        span = rounded(std::move(*span), false);
      if (!span)
        return {};
      addOnce(result, std::move(*span));
    }
  return kind == Kind::whole ? wrapped(std::move(result)) : result;
}

Spans Intervals::sum(const Spans &a, const Spans &b, Kind kind) {
  return combined(a, b, kind, [](const Span &x, const Span &y) {
    return Span{pairs(x.low, y.low, plus), pairs(x.high, y.high, plus)};
  });
}

Spans Intervals::difference(const Spans &a, const Spans &b, Kind kind) {
  return combined(a, b, kind, [](const Span &x, const Span &y) {
    return Span{pairs(x.low, y.high, minus), pairs(x.high, y.low, minus)};
  });
}

Spans Intervals::product(const Spans &a, const Spans &b, Kind kind) {
  return combined(a, b, kind, [&](const Span &x, const Span &y) { return product(x, y); });
}

std::optional<Span> Intervals::product(const Span &a, const Span &b) const {
  auto notBelow0 = [&](const Span &span) -> const Limit * {
    for (const Limit &low : span.low)
      if (isNonNegative(low.at, facts))
        return &low;
    return nullptr;
  };
  if (const Limit *left = notBelow0(a), *right = notBelow0(b); left && right) {
    Span span{pairs({*left}, {*right}, times), pairs(a.high, b.high, times)};
    for (Limit &high : span.high)
      high.premises = united(high.premises, united(left->premises, right->premises));
    return span;
  }
  std::optional<Limit> factor = exact(b);
  const Span &other = factor ? a : b;
  if (!factor)
    factor = exact(a);
  if (!factor)
    return std::nullopt;
  if (isNonNegative(factor->at, facts))
    return Span{pairs(other.low, {*factor}, times), pairs(other.high, {*factor}, times)};
  if (isNonNegative(Size() - factor->at, facts))
    return Span{pairs(other.high, {*factor}, times), pairs(other.low, {*factor}, times)};
  return std::nullopt;
}

/// A lower limit of a divisor that is above 0, if there is one.
std::optional<Limit> Intervals::positive(const Span &span) const {
  for (const Limit &low : span.low)
    if (isPositive(low.at, facts))
      return low;
  return std::nullopt;
}

Spans Intervals::quotient(const Spans &a, const Spans &b, Kind kind) {
  return combined(a, b, kind, [&](const Span &x, const Span &y) { return quotient(x, y, kind); });
}

std::optional<Span> Intervals::quotient(const Span &a, const Span &b, Kind kind) const {
  std::optional<Limit> divisor = exact(b);
  bool isPoint = divisor && isPositive(divisor->at, facts);
  if (!isPoint)
    divisor = positive(b);
  if (!divisor)
    return std::nullopt;
  Span span;
  auto add = [&](std::vector<Limit> &list, const Size &at, const Limit &from) {
    if (isUsable(at))
      list.push_back({at, united(from.premises, divisor->premises)});
  };
  for (const Limit &low : a.low) {
    if (isNonNegative(low.at, facts))
      add(span.low, Size(), low);
    // A larger divisor brings a negative number nearer to 0, which makes it larger.
    if (!isExtreme(low) && (isPoint || isNonNegative(Size() - low.at, facts))) {
      Size least = low.at / divisor->at;
      add(span.low, kind == Kind::whole && isUsable(least) ? roundedDown(least) : least, low);
    }
  }
  for (const Limit &high : a.high)
    if (isPoint || isNonNegative(high.at, facts))
      add(span.high, high.at / divisor->at, high);
  return span;
}

/// A remainder has the sign of the divisor and is nearer to 0, whatever is divided.
Spans Intervals::rest(const Spans &b) const {
  Spans result;
  for (const Span &y : b) {
    std::optional<Limit> divisor = positive(y);
    if (!divisor)
      return nothing(Kind::whole);
    Span span{{{Size(), divisor->premises}}, {}};
    for (const Limit &high : y.high)
      span.high.push_back({high.at - number(1), united(high.premises, divisor->premises)});
    result.push_back(std::move(span));
  }
  return result;
}

Spans Intervals::larger(const Spans &a, const Spans &b, Kind kind) const {
  return extreme(a, b, kind, true);
}

Spans Intervals::smaller(const Spans &a, const Spans &b, Kind kind) const {
  return extreme(a, b, kind, false);
}

Spans Intervals::extreme(const Spans &a, const Spans &b, Kind kind, bool largest) const {
  if (a.empty() || b.empty() || a.size() * b.size() > mostSpans)
    return nothing(kind);
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
      if (kind == Kind::real) { // NaN passes on, from either
        std::set<unsigned> finite = united(x.low.front().premises, y.low.front().premises);
        for (Span *span : {&first, &second})
          for (std::vector<Limit> *list : {&span->low, &span->high})
            for (Limit &limit : *list)
              limit.premises = united(limit.premises, finite);
      }
      addOnce(result, std::move(first));
      addOnce(result, std::move(second));
    }
  return result;
}

Spans Intervals::asReal(const Spans &a) {
  Spans result;
  for (const Span &span : a)
    if (std::optional<Span> real = rounded(span, true))
      result.push_back(std::move(*real));
    else
      return {};
  return result;
}

Spans Intervals::floor(const Spans &a) {
  Spans result;
  for (const Span &span : a) {
    Span whole;
    // Floor saturates at the ends of int: a low limit above all ints, or a high one below, would
    // not hold.
    auto add = [&](std::vector<Limit> &list, const Size &at, std::set<unsigned> needed,
                   std::optional<unsigned> premise) {
      if (!premise || !isUsable(at))
        return;
      if (*premise != always)
        needed.insert(*premise);
      list.push_back({at, std::move(needed)});
    };
    for (const Limit &low : span.low) {
      Size at = roundedDown(low.at);
      add(whole.low, at, low.premises, notAbove(at, ints));
    }
    for (const Limit &high : span.high)
      add(whole.high, high.at, high.premises, notBelow(high.at, ints));
    Span any = everything();
    result.push_back({merged(whole.low, any.low), merged(whole.high, any.high)});
  }
  return result.empty() ? nothing(Kind::whole) : result;
}
