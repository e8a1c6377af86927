// Launches of a program whose device is emulated.
#include "runtime/Abi.h"
#include "runtime/emulator/Launch.h"

#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) void
weft_emulator(const WeftCall *call, const WeftDeviceKernel *kernel, void *const *buffers,
              int64_t blocks) {
  const void *scratch = call->scratch;
  void *parameters[] = {const_cast<int64_t *>(call->sizes), const_cast<void **>(buffers),
                        &scratch};
  weft::emulator::Grid grid;
  grid.blocks[0] = unsigned(blocks);
  grid.threads = kernel->threads;
  const char *seed = getenv("WEFT_EMULATED_SEED"), *races = getenv("WEFT_EMULATED_RACES");
  weft::emulator::Mode mode{seed ? strtoull(seed, nullptr, 10) : 0, races != nullptr};
  weft::emulator::Counts counts;
  if (auto problem = launch(kernel->emulated, parameters, grid, mode, counts)) {
    fprintf(stderr, "weft: %s: %s\n", kernel->name, problem->c_str());
    abort();
  }
}
