// splitmix64, and a normal deviate.
#include "tools/reduce/expected/Numbers.h"

#include "ir/reference/Random.h"

#include <cmath>

namespace weft::reduce {

Numbers::Numbers(uint64_t seed, std::string_view name)
    : state(reference::hashOf(name) ^ (seed * 0x9e3779b97f4a7c15)) {}

uint64_t Numbers::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double Numbers::normal() {
  return std::sqrt(-2 * std::log(1 - unit())) * std::cos(6.283185307179586 * unit());
}

} // namespace weft::reduce
