// How long a device would take for what a launch did, by a simple model (docs/predictions.md).
#ifndef WEFT_RUNTIME_EMULATOR_PREDICTION_PREDICTION_H
#define WEFT_RUNTIME_EMULATOR_PREDICTION_PREDICTION_H

#include "runtime/emulator/Launch.h"
#include "runtime/emulator/prediction/Device.h"

namespace weft::emulator {

/// What a launch takes of a processor.
struct Footprint {
  unsigned threads = 32;  ///< of a block
  size_t shared = 0;      ///< bytes of a block
  unsigned registers = 0; ///< of a thread; 0: not known
  uint64_t tiles = 0;     ///< that blocks deal out among them; 0: each has its own
};

struct Prediction {
  unsigned blocksOfProcessor = 0; ///< at once, by threads, registers and shared memory
  double occupancy = 0;           ///< part of the threads that there may be
  double waves = 0;               ///< how often all places are filled
  /// Seconds that each takes if nothing else does, on the processor with most to do.
  double issue = 0, floats = 0, tensor = 0, special = 0, shared = 0, cache = 0, memory = 0;
  double seconds = 0;     ///< 0: a block does not fit the device
  const char *bound = ""; ///< what the most of it is
  unsigned launches = 1;

  /// What is launched behind it, as one with it.
  void add(const Prediction &then);
};

/// `bytes`: of the buffers that the launch reads and writes, which pass by memory once; 0: all that
/// is read and written does.
Prediction predict(const Counts &counts, const Footprint &footprint, const Device &device,
                   uint64_t bytes = 0);

/// What `times` as many blocks do.
Counts scaled(const Counts &counts, double times);

/// What a launch has to do at least.
struct Task {
  double products = 0, others = 0; ///< floating-point operations: of matrix products, all others
  Arithmetic arithmetic = Arithmetic::float32; ///< of the products
  double bytes = 0;                            ///< of memory
};
/// The least seconds that a device of these figures could take for it, were it always at its peak.
double roofline(const Task &task, const Device &device);

} // namespace weft::emulator
#endif
