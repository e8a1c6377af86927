// What the code of entries calls: weft_launch runs the tasks of a kernel on the pool of the call;
// what is of a device's memory the device does.
#include "runtime/Abi.h"
#include "runtime/device/DeviceKeys.h"
#include "runtime/machine/LaunchTimes.h"
#include "runtime/machine/Lockstep.h"

#include <cstring>

using namespace weft::runtime;

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
