// Orders that are drawn: whole warps, and the lanes of each.
#include "runtime/emulator/fibers/Schedule.h"

#include <algorithm>
#include <numeric>

namespace weft::emulator {

Schedule::Schedule(uint64_t seed, unsigned count) : seed(seed), state(seed), warps(count) {
  std::iota(warps.begin(), warps.end(), 0);
  if (seed == 1)
    std::reverse(warps.begin(), warps.end());
}

void Schedule::begin(uint64_t cluster) {
  if (seed <= 1)
    return;
  state = seed + cluster;
  pausesOf = draw() % 4;
  std::iota(warps.begin(), warps.end(), 0);
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
  for (size_t i = warps.size(); i > 1; --i)
    std::swap(warps[i - 1], warps[draw() % i]);
}

void Schedule::next() {
  if (seed > 1 && draw() % 4 == 0)
    shuffle();
}

bool Schedule::pauses() {
  return seed > 1 && draw() % 4 < pausesOf;
}

bool Schedule::down() {
  return seed == 1 || (seed > 1 && draw() % 2);
}

} // namespace weft::emulator
