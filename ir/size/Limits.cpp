// Lists of limits, kept short.
#include "ir/size/Limits.h"

#include <algorithm>
#include <iterator>

using namespace weft;
using namespace weft::model;

static constexpr size_t mostLimits = 5;

Span weft::model::everything() {
  return {{{Size::number(leastInt)}}, {{Size::number(mostInt)}}};
}

bool weft::model::isExtreme(const Limit &limit) {
  std::optional<int64_t> value = limit.at.constant();
  return value && (*value == leastInt || *value == mostInt);
}

static bool isSame(const Limit &a, const Limit &b) {
  return a.at == b.at && a.premises == b.premises;
}

std::vector<Limit> weft::model::merged(std::vector<Limit> a, const std::vector<Limit> &b) {
  for (const Limit &limit : b)
    if (std::none_of(a.begin(), a.end(), [&](const Limit &each) { return isSame(each, limit); }))
      a.push_back(limit);
  std::vector<Limit> ordered;
  std::ranges::copy_if(a, std::back_inserter(ordered),
                       [](const Limit &each) { return !isExtreme(each); });
  if (std::ranges::none_of(ordered, [](const Limit &each) { return each.premises.empty(); }))
    std::ranges::copy_if(a, std::back_inserter(ordered), isExtreme);
  if (ordered.size() > mostLimits)
    ordered.resize(mostLimits);
  return ordered;
}

std::set<unsigned> weft::model::united(std::set<unsigned> a, const std::set<unsigned> &b) {
  a.insert(b.begin(), b.end());
  return a;
}

std::optional<Limit> weft::model::exact(const Span &span) {
  const Limit &low = span.low.front(), &high = span.high.front();
  if (low.at != high.at)
    return std::nullopt;
  return Limit{low.at, united(low.premises, high.premises)};
}

void weft::model::addOnce(Spans &spans, Span span) {
  auto same = [](const std::vector<Limit> &x, const std::vector<Limit> &y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), isSame);
  };
  if (std::ranges::none_of(spans, [&](const Span &each) {
        return same(each.low, span.low) && same(each.high, span.high);
      }))
    spans.push_back(std::move(span));
}

Spans weft::model::either(Spans a, const Spans &b) {
  if (a.empty() || b.empty())
    return {};
  for (const Span &span : b)
    addOnce(a, span);
  return a;
}

bool weft::model::isUsable(const Size &size) {
  if (!isReasonable(size))
    return false;
  Fraction at = fraction(size);
  return isReasonable(at.above) && isReasonable(at.below);
}

Size weft::model::roundedDown(const Size &size) {
  Fraction at = fraction(size);
  return (at.above - at.below + Size::number(1)) / at.below;
}
Size weft::model::roundedUp(const Size &size) {
  Fraction at = fraction(size);
  return (at.above + at.below - Size::number(1)) / at.below;
}
