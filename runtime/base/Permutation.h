// A shuffled order without a table: position -> item, by a keyed bijection.
#ifndef WEFT_RUNTIME_BASE_PERMUTATION_H
#define WEFT_RUNTIME_BASE_PERMUTATION_H

#include "runtime/base/Philox.h"

#include <bit>

namespace weft::runtime {

/// A permutation of [0, count): six Feistel rounds with Philox on the smallest even number of bits
/// that holds `count`, walked along its cycle until it lands inside. Source: Black, Rogaway,
/// "Ciphers with arbitrary finite domains", CT-RSA 2002.
class Permutation {
public:
  Permutation(uint64_t count, RandomStream stream)
      : count(count), half((static_cast<unsigned>(std::bit_width(count - 1)) + 1) / 2),
        stream(stream) {}

  uint64_t operator()(uint64_t position) const {
    if (half == 0)
      return position;
    do
      position = shuffle(position);
    while (position >= count);
    return position;
  }

private:
  uint64_t shuffle(uint64_t value) const {
    uint64_t mask = (uint64_t(1) << half) - 1, left = value >> half, right = value & mask;
    for (uint64_t round = 0; round < 6; ++round) {
      uint64_t mixed = left ^ (stream.at(round << 32 | right)[0] & mask);
      left = right;
      right = mixed;
    }
    return left << half | right;
  }
  uint64_t count;
  unsigned half; // bits
  RandomStream stream;
};

} // namespace weft::runtime
#endif
