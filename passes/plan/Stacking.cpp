// Where blocks of memory with lifetimes lie.
#include "passes/plan/Stacking.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <numeric>
#include <tuple>

using namespace weft;

// Of more blocks than that one order is tried: the time grows with the square of their number.
static constexpr size_t mostTried = 1000;

Stacking::Stacking(std::vector<Lifetime> given) : lives(std::move(given)), meeting(lives.size()) {
  for (unsigned a = 0; a < lives.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      if (lives[a].meets(lives[b])) {
        meeting[a].push_back(b);
        meeting[b].push_back(a);
      }
}

int64_t Stacking::heightOf(const Offsets &offsets, llvm::ArrayRef<int64_t> sizes) {
  int64_t height = 0;
  for (auto [offset, size] : llvm::zip_equal(offsets, sizes))
    height = std::max(height, offset + size);
  return height;
}

int64_t Stacking::leastHeight(llvm::ArrayRef<int64_t> sizes) const {
  int64_t most = 0; // where it is reached, something begins
  for (unsigned a = 0; a < lives.size(); ++a) {
    int64_t here = sizes[a];
    for (unsigned b : meeting[a])
      here += lives[b].start <= lives[a].start ? sizes[b] : 0;
    most = std::max(most, here);
  }
  return most;
}

/// Orders in which blocks take their places: the large first, the long-lived, the large and
/// long-lived, the early.
std::vector<std::vector<unsigned>> Stacking::orders(llvm::ArrayRef<int64_t> sizes) const {
  auto length = [&](unsigned i) { return lives[i].end - lives[i].start + 1; };
  std::vector<std::function<double(unsigned)>> ranks = {
      [&](unsigned i) { return double(sizes[i]); },
      [&](unsigned i) { return double(sizes[i]) * double(length(i)); },
      [&](unsigned i) { return double(length(i)); },
      [&](unsigned i) { return -double(lives[i].start); }};
  std::vector<std::vector<unsigned>> orders;
  for (const auto &rank : llvm::ArrayRef(ranks).take_front(lives.size() > mostTried ? 1 : 4)) {
    std::vector<unsigned> order(lives.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return std::tuple(rank(b), lives[a].start) < std::tuple(rank(a), lives[b].start);
    });
    orders.push_back(std::move(order));
  }
  return orders;
}

/// Each takes the lowest place that is free among those before it in `order`.
Stacking::Offsets Stacking::place(llvm::ArrayRef<unsigned> order,
                                  llvm::ArrayRef<int64_t> sizes) const {
  Offsets offsets(lives.size(), -1);
  std::vector<std::pair<int64_t, int64_t>> busy; // where they begin and end
  for (unsigned block : order) {
    busy.clear();
    for (unsigned other : meeting[block])
      if (offsets[other] >= 0)
        busy.push_back({offsets[other], offsets[other] + sizes[other]});
    llvm::sort(busy);
    int64_t at = 0;
    for (auto [begin, end] : busy) {
      if (begin - at >= sizes[block])
        break;
      at = std::max(at, end);
    }
    offsets[block] = at;
  }
  return offsets;
}

/// The offsets of the same arrangement at other sizes.
Stacking::Offsets Stacking::settle(const Offsets &arranged, llvm::ArrayRef<int64_t> sizes) const {
  std::vector<unsigned> order(lives.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return arranged[a] < arranged[b]; });
  Offsets offsets(lives.size(), 0);
  for (unsigned block : order)
    for (unsigned other : meeting[block])
      if (arranged[other] < arranged[block])
        offsets[block] = std::max(offsets[block], offsets[other] + sizes[other]);
  return offsets;
}

std::vector<int64_t> Stacking::best(llvm::ArrayRef<std::vector<int64_t>> sizes) const {
  Offsets best;
  double least = 0;
  for (const std::vector<int64_t> &chosenAt : sizes)
    for (const std::vector<unsigned> &order : orders(chosenAt)) {
      Offsets arranged = place(order, chosenAt);
      double sum = 0; // how many times as high as it must be
      for (const std::vector<int64_t> &each : sizes)
        sum += double(heightOf(settle(arranged, each), each)) /
               double(std::max<int64_t>(1, leastHeight(each)));
      if (!best.empty() && sum >= least)
        continue;
      least = sum;
      best = settle(arranged, sizes.front());
    }
  return best;
}
