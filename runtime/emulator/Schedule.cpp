// Orders that are drawn: whole warps, and the lanes of each.
#include "runtime/emulator/Schedule.h"

#include "runtime/emulator/Clock.h"

#include <algorithm>
#include <numeric>

namespace weft::emulator {

Schedule::Schedule(uint64_t seed, unsigned count) : seed(seed), state(seed), threads(count) {
  std::iota(threads.begin(), threads.end(), 0);
  if (seed == 1)
    std::reverse(threads.begin(), threads.end());
  else if (seed > 1)
    shuffle();
}

/// SplitMix64 (Steele, Lea, Flood 2014).
uint64_t Schedule::draw() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void Schedule::shuffle() {
  unsigned warps = (threads.size() + lanesOfWarp - 1) / lanesOfWarp;
  std::vector<unsigned> order(warps);
  std::iota(order.begin(), order.end(), 0);
  for (unsigned i = warps; i > 1; --i)
    std::swap(order[i - 1], order[draw() % i]);
  unsigned at = 0, total = threads.size();
  for (unsigned warp : order) {
    unsigned first = warp * lanesOfWarp, count = std::min(lanesOfWarp, total - first);
    bool up = draw() % 2;
    for (unsigned lane = 0; lane < count; ++lane)
      threads[at++] = first + (up ? lane : count - 1 - lane);
  }
}

void Schedule::next() {
  if (seed > 1 && draw() % 4 == 0)
    shuffle();
}

bool Schedule::pauses() {
  return seed > 1 && draw() % 4 == 0;
}

} // namespace weft::emulator
