// The tasks of a launch on the threads of a pool: those of one run, or of several side by side.
#ifndef WEFT_RUNTIME_MACHINE_RUNLAUNCH_H
#define WEFT_RUNTIME_MACHINE_RUNLAUNCH_H

#include "runtime/Abi.h"
#include "runtime/machine/Chunks.h"
#include "runtime/machine/Pool.h"

#include <span>

namespace weft::runtime {

/// What a launch is called where launches are noted: a kernel with the sizes of its run, or,
/// without one, what the runtime does itself, in words (a literal).
struct LaunchName {
  WeftKernel kernel;
  const int64_t *sizes;
  const char *words;
};

/// Does one of the chunks on worker `worker`.
using ChunkJob = void (*)(void *context, const Chunks &chunks, int64_t chunk, int worker);

/// Cuts so many tasks into chunks for the threads of a pool, calls job(context, …) for each, and
/// returns when all are done. Where each task is to be noted, it is a chunk of the calling thread.
void runChunks(Pool &pool, const LaunchName &name, int64_t tasks, ChunkJob job, void *context);

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
