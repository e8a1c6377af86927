// What the code of entries calls: weft_launch runs the tasks of a kernel, in chunks, on the pool of
// the call; what is of a device's memory the device does.
#include "runtime/Abi.h"
#include "runtime/device/DeviceKeys.h"
#include "runtime/machine/LaunchTimes.h"
#include "runtime/machine/Pool.h"

#include <algorithm>
#include <cstring>

namespace {
struct Launch {
  const WeftCall *call;
  WeftKernel kernel;
  void *const *buffers;
  int64_t tasks, chunks;
};
} // namespace

static void runChunk(void *context, int64_t chunk, int worker) {
  const Launch &launch = *static_cast<const Launch *>(context);
  if (launch.call->pool->skips())
    return;
  // tasks < 2^53 / chunks in any program that fits memory, so the products do not overflow
  int64_t begin = launch.tasks * chunk / launch.chunks;
  int64_t end = launch.tasks * (chunk + 1) / launch.chunks;
  auto compute = [&] {
    launch.kernel(launch.call->sizes, launch.buffers, begin, end,
                  launch.call->scratch + worker * launch.call->scratch_stride);
  };
  if (weft::runtime::LaunchTimes *times = launch.call->pool->times)
    return times->chunk(worker, compute);
  compute();
}

// Chunks a thread: few enough that a chunk is worth its overhead, enough that a slow core does not
// hold up the join.
static constexpr int64_t chunksPerThread = 8;

static void runAll(Launch &launch) {
  if (launch.chunks == 1)
    return runChunk(&launch, 0, 0);
  launch.call->pool->run(launch.chunks, runChunk, &launch);
}

extern "C" void weft_launch(const WeftCall *call, WeftKernel kernel, void *const *buffers,
                            int64_t tasks) {
  if (tasks <= 0)
    return;
  if (!call->pool)
    return kernel(call->sizes, buffers, 0, tasks, call->scratch);
  if (call->pool->skips())
    return;
  int threads = call->pool->threads();
  int64_t chunks = threads == 1 ? 1 : std::min(tasks, threads * chunksPerThread);
  Launch launch{call, kernel, buffers, tasks, chunks};
  if (weft::runtime::LaunchTimes *times = call->pool->times)
    return times->launch(kernel, call->sizes, tasks, [&] { runAll(launch); });
  runAll(launch);
}

/// Asks the device of a call for something. Nothing may be thrown through the code of an entry.
template <class Body> static void ask(const WeftCall *call, Body body) {
  try {
    body(*call->device);
  } catch (...) { // memory: nothing else is thrown here
    call->device->fail({weft::runtime::Code::Memory, "out of memory"});
  }
}

extern "C" void weft_launch_grid(const WeftCall *call, const WeftDeviceKernel *kernel,
                                 void *const *buffers, int64_t blocks) {
  if (!call->pool || !call->pool->skips())
    ask(call, [&](WeftDevice &device) {
      device.launch(*kernel, call->sizes, buffers, call->scratch, blocks);
    });
}

extern "C" void weft_copy(const WeftCall *call, void *to, const void *from, int64_t bytes) {
  if (call->device)
    return ask(call, [&](WeftDevice &device) { device.copyWithin(to, from, bytes); });
  auto copy = [&] { memcpy(to, from, static_cast<size_t>(bytes)); };
  if (call->pool && call->pool->times)
    return call->pool->times->launch(nullptr, call->sizes, 1, copy);
  copy();
}

extern "C" void weft_random_key(const WeftCall *call, void *key, uint64_t first) {
  if (call->device)
    return ask(call, [&](WeftDevice &device) { device.keys->write(device, key, first); });
  const uint64_t words[] = {call->seed, call->step, first};
  memcpy(key, words, sizeof words);
}
