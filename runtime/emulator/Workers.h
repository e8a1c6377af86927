// Threads of this machine that blocks of a launch are dealt out to.
#ifndef WEFT_RUNTIME_EMULATOR_WORKERS_H
#define WEFT_RUNTIME_EMULATOR_WORKERS_H

#include "runtime/emulator/fibers/Fiber.h"

#include <functional>

namespace weft::emulator {

/// What a thread of this machine keeps from launch to launch.
class Machine {
public:
  Machine() = default;
  Machine(const Machine &) = delete;
  ~Machine();
  static Machine &own();
  /// Memory for so many blocks that run together, below 4 GB, so that addresses in shared memory
  /// have 32 bits as on a device, and at a multiple of 256 KB, so that those in descriptors of
  /// matrices have 18. Throws std::bad_alloc.
  char *shared(unsigned blocks);
  /// After a failure, threads stand on the stacks that there are.
  void discardStacks() { stacks = std::make_unique<Stacks>(); }

  std::unique_ptr<Stacks> stacks = std::make_unique<Stacks>();

private:
  void *mapped = nullptr;
  size_t bytes = 0;
};

/// Calls `work` on up to `count` threads of this machine, this one among them, and returns when all
/// have returned. If another launch has them, on this one alone.
void onWorkers(unsigned count, const std::function<void()> &work);

} // namespace weft::emulator
#endif
