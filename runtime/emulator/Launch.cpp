// One block after the other, each on memory that nothing has written.
#include "runtime/emulator/Launch.h"

#include "runtime/emulator/State.h"

#include <cstring>
#include <memory>

namespace weft::emulator {

static thread_local Running *state;

Running &running() {
  return *state;
}

/// Accesses of one launch are in no order with each other, but after those of the launch before.
static uint32_t nextLaunch() {
  static thread_local uint32_t last = 0;
  return ++last;
}

std::optional<std::string> launch(Kernel kernel, void *const *arguments, const Grid &grid,
                                  const Mode &mode, Counts &counts) {
  if (grid.threads == 0 || grid.threads % lanesOfWarp || grid.threads > 1024)
    return "a block has 32 to 1024 threads, in whole warps, not " + std::to_string(grid.threads);
  static thread_local Shadow shadow;
  Running running{counts, mode.races ? &shadow : nullptr, nextLaunch(), mode.memory};
  state = &running;
  Stacks stacks(grid.threads);
  auto shared = std::make_unique<char[]>(mostShared + 128);
  char *aligned = shared.get() + 128 - reinterpret_cast<uintptr_t>(shared.get()) % 128;
  Block block(grid, stacks, aligned, mode.seed);
  uint64_t blocks = uint64_t(grid.blocks[0]) * grid.blocks[1] * grid.blocks[2];
  std::function<void()> code = [&] { kernel(arguments); };
  for (uint64_t i = 0; i < blocks; ++i) {
    uint64_t at = mode.seed == 1 ? blocks - 1 - i : i;
    unsigned position[3] = {unsigned(at % grid.blocks[0]),
                            unsigned(at / grid.blocks[0] % grid.blocks[1]),
                            unsigned(at / grid.blocks[0] / grid.blocks[1])};
    memset(aligned, 0xff, mostShared);
    if (auto problem = block.run(position, code))
      return problem;
  }
  return std::nullopt;
}

} // namespace weft::emulator
