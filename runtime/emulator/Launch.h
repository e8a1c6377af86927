// Runs a kernel over a grid on this machine, as hostile as a device may be.
#ifndef WEFT_RUNTIME_EMULATOR_LAUNCH_H
#define WEFT_RUNTIME_EMULATOR_LAUNCH_H

#include "runtime/emulator/Counts.h"
#include "runtime/emulator/Memory.h"

#include <cstddef>
#include <optional>
#include <string>

namespace weft::emulator {

/// A kernel as the compiler makes it for the emulator: it takes the addresses of its arguments.
using Kernel = void (*)(void *const *arguments);

/// Where a grid stands: in blocks, and threads of a block (a multiple of 32, at most 1024).
struct Grid {
  unsigned blocks[3] = {1, 1, 1};
  unsigned threads = 32;
  unsigned cluster = 1;      ///< blocks that run together, side by side along the first axis
  size_t shared = 227 << 10; ///< bytes of shared memory that a block may use, at most that many
  bool overlaps = false;     ///< it may begin before the grid before it has ended
};

struct Mode {
  uint64_t seed = 0;    ///< of the order of blocks, warps and lanes, and of landings (Schedule.h)
  bool races = false;   ///< whether races are looked for, which takes ten times as long
  bool profile = false; ///< whether plain accesses are counted, by warp
  const Memory *memory = nullptr; ///< that kernels may touch; null: whatever there is
  unsigned workers = 1; ///< threads of this machine; 0: as many as it has
};

/// Runs all blocks. Shared memory begins as NaNs in each. What went wrong, if something did.
std::optional<std::string> launch(Kernel kernel, void *const *arguments, const Grid &grid,
                                  const Mode &mode, Counts &counts);

} // namespace weft::emulator
#endif
