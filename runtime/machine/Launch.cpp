// What the code of entries calls: weft_launch runs the tasks of a kernel, in chunks, on the pool of
// the call; what is of a device's memory the device does.
#include "runtime/Abi.h"
#include "runtime/device/DeviceKeys.h"
#include "runtime/machine/Chunks.h"
#include "runtime/machine/LaunchTimes.h"
#include "runtime/machine/Pool.h"

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
  int64_t begin = weft::runtime::firstTaskOf(chunk, launch.tasks, launch.chunks);
  int64_t end = weft::runtime::firstTaskOf(chunk + 1, launch.tasks, launch.chunks);
  auto compute = [&] {
    launch.kernel(launch.call->sizes, launch.buffers, begin, end,
                  launch.call->scratch + worker * launch.call->scratch_stride);
  };
  if (weft::runtime::LaunchTimes *times = launch.call->pool->times)
    return times->chunk(worker, compute);
  compute();
}

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
  Launch launch{call, kernel, buffers, tasks,
                weft::runtime::chunksOf(tasks, call->pool->threads())};
  if (weft::runtime::LaunchTimes *times = call->pool->times) {
    if (times->notesTasks()) {
      launch.chunks = tasks;
      return times->launch(kernel, call->sizes, tasks, [&] {
        for (int64_t task = 0; task < tasks; ++task)
          runChunk(&launch, task, 0);
      });
    }
    return times->launch(kernel, call->sizes, tasks, [&] { runAll(launch); });
  }
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
  if (weft::runtime::LaunchTimes *times = call->pool ? call->pool->times : nullptr)
    return times->launch("copy", 1, [&] { times->chunk(0, copy); });
  copy();
}

extern "C" void weft_random_key(const WeftCall *call, void *key, uint64_t first) {
  if (call->device)
    return ask(call, [&](WeftDevice &device) { device.keys->write(device, key, first); });
  const uint64_t words[] = {call->seed, call->step, first};
  memcpy(key, words, sizeof words);
}
