// How long a device would take for what a launch did, by a simple model (docs/decisions/063).
#ifndef WEFT_RUNTIME_EMULATOR_PREDICTION_PREDICTION_H
#define WEFT_RUNTIME_EMULATOR_PREDICTION_PREDICTION_H

#include "runtime/emulator/Launch.h"

namespace weft::emulator {

/// What is known of a device. Rates are of one processor (SM) and clock, unless said.
struct Device {
  const char *name;
  unsigned processors;
  double clock;                  ///< 1/s
  double issues;                 ///< instructions of warps
  double tensorFlops, tf32Flops; ///< of products of four warps
  double warpProducts;           ///< the part of that which products of one warp reach
  double sharedBytes;
  double special;                 ///< threads' functions such as ex2
  double cacheBytes, memoryBytes; ///< of the whole device, a second: second cache, memory
  double start;                   ///< seconds until a launch's first block runs
  double latency;                 ///< seconds that a block waits before its first data is there
  unsigned threads, blocks;       ///< at most
  size_t shared, sharedOfBlock;   ///< at most, and what a block takes besides its own
};
const Device &h100();

struct Prediction {
  unsigned blocksOfProcessor = 0; ///< at once, by threads and shared memory
  double occupancy = 0;           ///< part of the threads that there may be
  double waves = 0;               ///< how often all places are filled
  /// Seconds that each takes if nothing else does, on the processor with most to do.
  double issue = 0, tensor = 0, special = 0, shared = 0, cache = 0, memory = 0;
  double seconds = 0;
  const char *bound = ""; ///< what the most of it is
};

/// `bytes`: of the buffers that the launch reads and writes, which pass by memory once; 0: all that
/// is read and written does.
Prediction predict(const Counts &counts, const Grid &grid, const Device &device,
                   uint64_t bytes = 0);

/// What `times` as many blocks do.
Counts scaled(const Counts &counts, double times);

} // namespace weft::emulator
#endif
