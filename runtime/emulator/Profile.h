// What the plain accesses of a warp's lanes come to together: sectors, and conflicts of banks.
#ifndef WEFT_RUNTIME_EMULATOR_PROFILE_H
#define WEFT_RUNTIME_EMULATOR_PROFILE_H

#include "runtime/emulator/Counts.h"

#include <cstdint>
#include <vector>

namespace weft::emulator {

class Cluster;
struct Warp;
struct Thread;

/// Lanes run one after the other here. Accesses of one instruction belong together that are each
/// lane's n-th since the whole warp came together last: as if its lanes had gone side by side.
class Profile {
public:
  explicit Profile(Cluster &cluster);
  void note(const Thread &thread, uintptr_t address, uint32_t bytes, bool writes, bool isShared,
            uint16_t site);
  /// The lanes of this warp have come together.
  void flush(Warp &warp);
  void flush();

private:
  struct Together {
    uint32_t bytes = 0; ///< of each lane
    bool writes = false, isShared = false;
    uint8_t count = 0;
    uintptr_t addresses[32];
  };
  struct Site {
    uint32_t seen[32] = {}; ///< how often, by lane
    std::vector<Together> all;
  };
  struct OfWarp {
    std::vector<Site> sites; ///< by number
    std::vector<uint16_t> used;
  };
  void count(const Together &access);

  Cluster &cluster;
  std::vector<OfWarp> warps;
};

/// In how many passes shared memory serves so many accesses of `bytes` each, and what the least is:
/// 32 banks of 4 bytes; 8 bytes go by halves of a warp, 16 by quarters.
struct Passes {
  unsigned all, least;
};
Passes passes(const uintptr_t *addresses, unsigned count, unsigned bytes);

} // namespace weft::emulator
#endif
