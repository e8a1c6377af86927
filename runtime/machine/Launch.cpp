// What the code of entries calls: weft_launch runs the tasks of a kernel, in chunks, on the pool of
// the call; what is of a device's memory the device does.
#include "runtime/Abi.h"
#include "runtime/device/DeviceKeys.h"
#include "runtime/machine/Chunks.h"
#include "runtime/machine/LaunchTimes.h"
#include "runtime/machine/Lockstep.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

namespace {
struct Launch {
  Pool &pool;
  WeftKernel kernel;
  std::span<const LaunchPart> parts;
  int64_t chunks;

  void compute(const LaunchPart &part, int64_t begin, int64_t end, int worker) const {
    if (begin < end)
      kernel(part.call->sizes, part.buffers, begin, end,
             part.call->scratch + worker * part.call->scratch_stride);
  }
};
} // namespace

static void runChunk(void *context, int64_t chunk, int worker) {
  const Launch &launch = *static_cast<const Launch *>(context);
  if (launch.pool.skips())
    return;
  auto border = [&](const LaunchPart &part, int64_t before) {
    return firstTaskOf(before, part.tasks, launch.chunks);
  };
  auto compute = [&] {
    const LaunchPart &first = launch.parts.front();
    if (launch.parts.size() == 1)
      return launch.compute(first, border(first, chunk), border(first, chunk + 1), worker);
    int64_t most = 0;
    for (const LaunchPart &part : launch.parts)
      most = std::max(most, border(part, chunk + 1) - border(part, chunk));
    for (int64_t i = 0; i < most; ++i)
      for (const LaunchPart &part : launch.parts)
        if (int64_t task = border(part, chunk) + i; task < border(part, chunk + 1))
          launch.compute(part, task, task + 1, worker);
  };
  if (LaunchTimes *times = launch.pool.times)
    return times->chunk(worker, compute);
  compute();
}

static void runAll(Launch &launch) {
  if (launch.chunks == 1)
    return runChunk(&launch, 0, 0);
  launch.pool.run(launch.chunks, runChunk, &launch);
}

void weft::runtime::runLaunch(Pool &pool, WeftKernel kernel, std::span<const LaunchPart> parts) {
  int64_t tasks = 0;
  for (const LaunchPart &part : parts)
    tasks = std::max(tasks, part.tasks);
  if (tasks <= 0 || pool.skips())
    return;
  Launch launch{pool, kernel, parts, chunksOf(tasks, pool.threads())};
  if (LaunchTimes *times = pool.times) {
    auto all = [&] { runAll(launch); };
    auto oneByOne = [&] {
      launch.chunks = tasks;
      for (int64_t task = 0; task < tasks; ++task)
        runChunk(&launch, task, 0);
    };
    const int64_t *sizes = parts.front().call->sizes;
    return times->notesTasks() ? times->launch(kernel, sizes, tasks, oneByOne)
                               : times->launch(kernel, sizes, tasks, all);
  }
  runAll(launch);
}

extern "C" void weft_launch(const WeftCall *call, WeftKernel kernel, void *const *buffers,
                            int64_t tasks) {
  if (call->pool && call->pool->lockstep)
    return call->pool->lockstep->launch(kernel, buffers, tasks);
  if (tasks <= 0)
    return;
  if (!call->pool)
    return kernel(call->sizes, buffers, 0, tasks, call->scratch);
  LaunchPart part{call, buffers, tasks};
  runLaunch(*call->pool, kernel, {&part, 1});
}

/// Asks the device of a call for something. Nothing may be thrown through the code of an entry.
template <class Body> static void ask(const WeftCall *call, Body body) {
  try {
    body(*call->device);
  } catch (...) { // memory: nothing else is thrown here
    call->device->fail({Code::Memory, "out of memory"});
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
  if (call->pool && call->pool->lockstep)
    return call->pool->lockstep->copy(to, from, bytes);
  auto copy = [&] { memcpy(to, from, static_cast<size_t>(bytes)); };
  if (LaunchTimes *times = call->pool ? call->pool->times : nullptr)
    return times->launch("copy", 1, [&] { times->chunk(0, copy); });
  copy();
}

extern "C" void weft_random_key(const WeftCall *call, void *key, uint64_t first) {
  if (call->device)
    return ask(call, [&](WeftDevice &device) { device.keys->write(device, key, first); });
  if (call->pool && call->pool->lockstep)
    return call->pool->lockstep->refuse();
  const uint64_t words[] = {call->seed, call->step, first};
  memcpy(key, words, sizeof words);
}
