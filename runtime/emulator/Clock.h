// What is ordered before what between the warps of a block.
#ifndef WEFT_RUNTIME_EMULATOR_CLOCK_H
#define WEFT_RUNTIME_EMULATOR_CLOCK_H

#include <algorithm>
#include <array>
#include <cstdint>

namespace weft::emulator {

constexpr unsigned lanesOfWarp = 32, mostWarps = 32;

/// A vector clock: of each warp, up to which of its steps everything has been seen. A step ends
/// where the warp synchronizes (Lamport 1978; Mattern 1988; as data races are found in Flanagan,
/// Freund, FastTrack, 2009).
struct Clock {
  std::array<uint32_t, mostWarps> seen{};

  void join(const Clock &other) {
    for (unsigned warp = 0; warp < mostWarps; ++warp)
      seen[warp] = std::max(seen[warp], other.seen[warp]);
  }
};

/// An access to memory by one thread: `step` is its warp's own at that time.
struct Access {
  uint32_t launch = 0; ///< 0: none
  uint32_t block = 0;
  uint32_t step = 0;
  uint16_t thread = 0;
  uint16_t site = 0; ///< the instruction, by number
};

} // namespace weft::emulator
#endif
