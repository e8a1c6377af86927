// Lists of limits, kept short.
#include "ir/model/Limits.h"

#include <algorithm>

using namespace weft;
using namespace weft::model;

static constexpr size_t mostLimits = 5;

Span weft::model::everything() {
  return {{{Size::number(leastInt), {}}}, {{Size::number(mostInt), {}}}};
}

bool weft::model::isExtreme(const Limit &limit) {
  std::optional<int64_t> value = limit.at.constant();
  return value && (*value == leastInt || *value == mostInt);
}

std::vector<Limit> weft::model::merged(std::vector<Limit> a, const std::vector<Limit> &b) {
  for (const Limit &limit : b)
    if (llvm::none_of(
            a, [&](const Limit &each) { return each.at == limit.at && each.rests == limit.rests; }))
      a.push_back(limit);
  std::vector<Limit> ordered;
  for (bool extreme : {false, true})
    llvm::copy_if(a, std::back_inserter(ordered),
                  [&](const Limit &each) { return isExtreme(each) == extreme; });
  a = std::move(ordered);
  if (a.size() > mostLimits)
    a.resize(mostLimits);
  return a;
}

std::set<unsigned> weft::model::united(std::set<unsigned> a, const std::set<unsigned> &b) {
  a.insert(b.begin(), b.end());
  return a;
}

const Limit *weft::model::exact(const Span &span) {
  return span.low.front().at == span.high.front().at ? &span.low.front() : nullptr;
}
