// Random numbers, each stream by its seed and a name.
#ifndef WEFT_TOOLS_REDUCE_EXPECTED_NUMBERS_H
#define WEFT_TOOLS_REDUCE_EXPECTED_NUMBERS_H

#include <cstdint>
#include <string_view>

namespace weft::reduce {

/// splitmix64: small, and the same everywhere.
class Numbers {
public:
  Numbers(uint64_t seed, std::string_view name);
  uint64_t next();
  /// From 0 up to `limit`, without it.
  uint64_t below(uint64_t limit) { return next() % limit; }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double normal();
  bool chance(double probability) { return unit() < probability; }

private:
  uint64_t state;
};

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EXPECTED_NUMBERS_H
