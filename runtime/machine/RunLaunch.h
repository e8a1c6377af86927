// The tasks of a launch on the threads of a pool: of one run, or of several side by side.
#ifndef WEFT_RUNTIME_MACHINE_RUNLAUNCH_H
#define WEFT_RUNTIME_MACHINE_RUNLAUNCH_H

#include "runtime/Abi.h"
#include "runtime/machine/Pool.h"

#include <span>

namespace weft::runtime {

/// What a run brings to a launch of one kernel.
struct LaunchPart {
  const WeftCall *call;
  void *const *buffers;
  int64_t tasks;
};

/// Returns when all are done. Of several parts, task i of each comes, in their order and on one
/// thread, before task i + 1 of that thread.
void runLaunch(Pool &pool, WeftKernel kernel, std::span<const LaunchPart> parts);

} // namespace weft::runtime
#endif
