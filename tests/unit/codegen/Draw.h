// What tests at random draw from: fresh seeds, which are printed, and what follows from one.
#ifndef WEFT_TESTS_UNIT_CODEGEN_DRAW_H
#define WEFT_TESTS_UNIT_CODEGEN_DRAW_H

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace weft::test {

/// Draws the same for the same seed, on every machine.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}

  int64_t below(int64_t count) { return int64_t(engine() % uint64_t(count)); }
  bool chance(double part) { return double(engine() >> 11) * 0x1p-53 < part; }
  /// Whether one of many cases that are compiled each is tried: a part of them, with WEFT_ALL=1
  /// all.
  bool tries(double part) { return std::getenv("WEFT_ALL") || chance(part); }
  template <class Each> auto &one(Each &of) { return of[below(int64_t(of.size()))]; }
  template <class Each> Each shuffled(Each of) {
    for (size_t i = of.size(); i > 1; --i)
      std::swap(of[i - 1], of[below(int64_t(i))]);
    return of;
  }

private:
  std::mt19937_64 engine;
};

/// `count` seeds from a fresh one on, or those that WEFT_SEED and WEFT_COUNT say.
struct Seeds {
  uint64_t first, count;

  explicit Seeds(uint64_t count) : count(setting("WEFT_COUNT", count)) {
    auto now = std::chrono::system_clock::now().time_since_epoch().count();
    first = setting("WEFT_SEED", uint64_t(now) % 1000000000);
    std::cout << "WEFT_SEED=" << first << " WEFT_COUNT=" << this->count << std::endl;
  }

private:
  static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
  }
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_DRAW_H
