// Runs a kernel over a grid on this machine, as hostile as a device may be.
#ifndef WEFT_RUNTIME_EMULATOR_LAUNCH_H
#define WEFT_RUNTIME_EMULATOR_LAUNCH_H

#include "runtime/emulator/Block.h"
#include "runtime/emulator/Memory.h"

namespace weft::emulator {

/// A kernel as the compiler makes it for the emulator: it takes the addresses of its arguments.
using Kernel = void (*)(void *const *arguments);

struct Mode {
  uint64_t seed = 0;              ///< of the order of blocks, warps and lanes (Schedule.h)
  bool races = false;             ///< whether races are looked for, which takes ten times as long
  const Memory *memory = nullptr; ///< that kernels may touch; null: whatever there is
};

/// What a launch did, in all threads.
struct Counts {
  uint64_t barriers = 0, shuffles = 0, votes = 0;
};

/// Shared memory of a block: as much as a device gives at most.
constexpr size_t mostShared = 227 << 10;

/// Runs all blocks. Shared memory begins as NaNs in each. What went wrong, if something did.
std::optional<std::string> launch(Kernel kernel, void *const *arguments, const Grid &grid,
                                  const Mode &mode, Counts &counts);

} // namespace weft::emulator
#endif
