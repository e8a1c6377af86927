// The search for the best of a kernel's schedules.
#include "tools/tune/Search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::tune {

std::string verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::usual:
    return "default";
  case Verdict::pruned:
    return "pruned";
  case Verdict::before:
    return "before";
  case Verdict::untried:
    return "untried";
  case Verdict::refused:
    return "refused";
  case Verdict::wrong:
    return "WRONG";
  case Verdict::slower:
    return "slower";
  case Verdict::close:
    return "no gain";
  case Verdict::unconfirmed:
    return "unconfirmed";
  case Verdict::chosen:
    return "chosen";
  }
  return "";
}

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  size_t middle = values.size() / 2;
  std::ranges::nth_element(values, values.begin() + ptrdiff_t(middle));
  if (values.size() % 2 == 1)
    return values[middle];
  return (values[middle] + *std::max_element(values.begin(), values.begin() + ptrdiff_t(middle))) /
         2;
}

size_t Found::count(Verdict verdict) const {
  return size_t(std::ranges::count(tried, verdict, &Tried::verdict));
}

namespace {

class Searching {
public:
  Searching(Bench &bench, const std::vector<double> &predicted, double until, const Rules &rules,
            size_t left)
      : bench(bench), until(until), rules(rules), left(left), begin(bench.now()) {
    found.tried.resize(predicted.size());
    for (size_t i = 0; i < predicted.size(); ++i)
      found.tried[i].predicted = predicted[i] / predicted[0];
    found.tried[0] = {Verdict::usual, 1, 1, 0, ""};
  }

  Found run() {
    std::vector<size_t> order = promising();
    double exploring = begin + rules.exploring * (until - begin);
    found.complete = true;
    for (size_t candidate : order) {
      if (over(exploring)) {
        found.complete = false;
        break;
      }
      explore(candidate, exploring);
    }
    confirm();
    return found;
  }

private:
  bool over(double end) { return bench.interrupted() || bench.now() >= end; }

  /// What is not pruned, the best first as far as is predicted.
  std::vector<size_t> promising() {
    double least = std::ranges::min(found.tried, {}, &Tried::predicted).predicted;
    std::vector<size_t> order;
    for (size_t i = 1; i < found.tried.size(); ++i)
      if (found.tried[i].predicted > rules.prunedAbove * least)
        found.tried[i].verdict = Verdict::pruned;
      else
        order.push_back(i);
    std::ranges::sort(order, {}, [&](size_t i) { return std::pair(found.tried[i].predicted, i); });
    size_t before = order.size() - std::min(left, order.size());
    for (size_t i = 0; i < before; ++i)
      found.tried[order[i]].verdict = Verdict::before;
    order.erase(order.begin(), order.begin() + ptrdiff_t(before));
    return order;
  }

  bool prepare(size_t candidate) {
    Bench::Ready ready = bench.prepare(candidate);
    Tried &tried = found.tried[candidate];
    if (!ready.refused && !ready.wrong)
      return true;
    tried.verdict = ready.wrong ? Verdict::wrong : Verdict::refused;
    tried.why = ready.why;
    return false;
  }

  double ratio() {
    Bench::Pair pair = bench.pair();
    return pair.candidate / pair.usual;
  }

  void explore(size_t candidate, double end) {
    if (!prepare(candidate))
      return;
    std::vector<double> ratios;
    Tried &tried = found.tried[candidate];
    for (int64_t i = 0; i < rules.most; ++i) {
      if (i > 0 && over(end)) {
        found.complete = false;
        break;
      }
      ratios.push_back(ratio());
      if (i + 1 == rules.least && median(ratios) >= rules.loses)
        break;
    }
    tried.measured = median(ratios);
    tried.pairs = int64_t(ratios.size());
    if (tried.pairs < rules.least) // the time was over: it counts as if it had not begun
      return;
    tried.verdict = tried.measured >= rules.loses ? Verdict::slower
                    : tried.measured > rules.gain ? Verdict::close
                                                  : Verdict::unconfirmed;
    if (tried.verdict == Verdict::unconfirmed)
      finalists.push_back(candidate);
  }

  /// Second series of the best, until one holds.
  void confirm() {
    std::ranges::sort(finalists, {},
                      [&](size_t i) { return std::pair(found.tried[i].measured, i); });
    finalists.resize(std::min(finalists.size(), rules.finalists));
    for (size_t candidate : finalists) {
      if (over(until)) {
        found.complete = false;
        found.cut = true;
        return;
      }
      if (!prepare(candidate))
        continue;
      std::vector<double> ratios;
      int64_t slower = 0;
      while (int64_t(ratios.size()) < rules.confirming &&
             slower <= rules.confirming - rules.faster && !over(until)) {
        ratios.push_back(ratio());
        slower += ratios.back() >= 1;
      }
      Tried &tried = found.tried[candidate];
      tried.measured = median(ratios);
      tried.pairs = int64_t(ratios.size());
      tried.verdict = Verdict::unconfirmed;
      bool whole = tried.pairs == rules.confirming;
      found.cut = !whole && slower <= rules.confirming - rules.faster;
      found.complete &= !found.cut;
      if (!whole || tried.pairs - slower < rules.faster || tried.measured > rules.gain)
        continue;
      tried.verdict = Verdict::chosen;
      found.best = candidate;
      found.ratio = tried.measured;
      found.pairs = tried.pairs;
      return;
    }
  }

  Bench &bench;
  double until;
  const Rules &rules;
  size_t left;
  double begin;
  std::vector<size_t> finalists;
  Found found;
};

/// Of each value its rank, equal ones the same.
std::vector<double> ranks(const std::vector<double> &values) {
  std::vector<double> result;
  for (double value : values) {
    auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
    auto equal = std::ranges::count(values, value);
    result.push_back(double(below) + double(equal - 1) / 2);
  }
  return result;
}
} // namespace

Found search(Bench &bench, const std::vector<double> &predicted, double until, const Rules &rules,
             size_t left) {
  return Searching(bench, predicted, until, rules, left).run();
}

double allotted(double left, const std::vector<double> &weights, size_t number) {
  double rest = std::accumulate(weights.begin() + ptrdiff_t(number), weights.end(), 0.0);
  return rest > 0 ? std::max(left, 0.0) * weights[number] / rest : 0;
}

std::optional<double> agreement(const std::vector<Tried> &tried) {
  std::vector<double> predicted, measured;
  for (const Tried &each : tried)
    if (each.measured > 0) {
      predicted.push_back(each.predicted);
      measured.push_back(each.measured);
    }
  if (predicted.size() < 3)
    return std::nullopt;
  std::vector<double> a = ranks(predicted), b = ranks(measured);
  double mean = double(a.size() - 1) / 2, ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  if (aa == 0 || bb == 0)
    return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

} // namespace weft::tune
