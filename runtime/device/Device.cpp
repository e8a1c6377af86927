// Asking a device for work: nothing more once something went wrong.
#include "runtime/device/Device.h"

#include "runtime/base/Block.h"
#include "runtime/device/KernelTimes.h"

#include <chrono>

using namespace weft::runtime;

std::string WeftDevice::title() const {
  return facts().model.empty() ? facts().name
                               : text("%s (%s)", facts().name.c_str(), facts().model.c_str());
}

void WeftDevice::note(Status status) {
  if (failed && !status)
    failed = std::move(status);
}

Result<void *> WeftDevice::allocate(int64_t bytes, const std::string &purpose, const char *advice) {
  if (!failed)
    return failed.error();
  Result<void *> memory = take(bytes);
  if (memory || memory.error().code != Code::Memory)
    return memory;
  return Error{Code::Memory,
               text("%s needs %s, of which %s has %s left of %s; %s", purpose.c_str(),
                    bytesText(bytes).c_str(), title().c_str(), bytesText(freeMemory()).c_str(),
                    bytesText(facts().memory).c_str(), advice)};
}

void WeftDevice::copyIn(void *to, const void *from, int64_t bytes) {
  if (failed && bytes > 0 && !isNoStep())
    note(doCopyIn(to, from, bytes));
}

void WeftDevice::copyOut(void *to, const void *from, int64_t bytes) {
  if (failed && bytes > 0 && !isNoStep())
    note(doCopyOut(to, from, bytes));
}

void WeftDevice::copyWithin(void *to, const void *from, int64_t bytes) {
  if (!failed || bytes <= 0)
    return;
  StepValues values = {0, reinterpret_cast<uintptr_t>(to), reinterpret_cast<uintptr_t>(from),
                       static_cast<uint64_t>(bytes)};
  if (isStep(values, [&] { return doChange(*updated, reached - 1, to, from, bytes); }))
    return;
  note(doCopyRows(to, from, {bytes, bytes, bytes, 1}));
  if (isKeeping)
    doKeep();
}

void WeftDevice::copyRows(void *to, const void *from, const Pitch &pitch) {
  if (failed && pitch.bytes > 0 && pitch.rows > 0 && !isNoStep())
    note(doCopyRows(to, from, pitch));
}

void WeftDevice::fill(void *memory, unsigned char value, int64_t bytes) {
  if (failed && bytes > 0 && !isNoStep())
    note(doFill(memory, value, bytes));
}

void WeftDevice::launch(const WeftDeviceKernel &kernel, const int64_t *sizes, void *const *buffers,
                        const void *scratch, int64_t blocks) {
  if (!failed || blocks <= 0)
    return;
  constexpr int64_t mostBlocks = INT32_MAX;
  if (blocks > mostBlocks)
    return note(Error{Code::Size, text("kernel %s would have %lld blocks, a device runs %lld; use "
                                       "a smaller batch or shorter sequences",
                                       kernel.name, wide(blocks), wide(mostBlocks))});
  Parameters parameters{sizes, buffers, scratch};
  if (isKeeping || updated) {
    Result<StepValues> values = valuesOf(kernel, parameters, blocks);
    if (!values)
      return note(values.error());
    if (isStep(std::move(*values),
               [&] { return doChange(*updated, reached - 1, kernel, parameters, blocks); }))
      return;
    if (!mayKeep(kernel)) {
      isWhole = false;
      return;
    }
    note(doLaunch(kernel, parameters, blocks));
    return doKeep();
  }
  if (!times)
    return note(doLaunch(kernel, parameters, blocks));
  Result<double> seconds = doTimedLaunch(kernel, parameters, blocks);
  if (!seconds)
    return note(seconds.error());
  times->add(kernel.name, *seconds);
}

Result<std::vector<WeftTensorMap>> WeftDevice::describe(const WeftDeviceKernel &kernel,
                                                        const Parameters &parameters) {
  std::vector<WeftTensorMap> tensors(kernel.maps);
  if (kernel.maps > 0)
    kernel.describe(parameters.sizes, parameters.buffers, tensors.data());
  constexpr uint64_t most = INT32_MAX; // of places, which have a sign
  for (const WeftTensorMap &tensor : tensors)
    for (uint32_t i = 0; i < tensor.rank; ++i)
      if (tensor.sizes[i] > most)
        return Error{Code::Size,
                     text("kernel %s would copy tiles of a tensor of %lld elements along a "
                          "dimension, and %lld are the most; use a smaller batch or shorter "
                          "sequences",
                          kernel.name, wide(static_cast<int64_t>(tensor.sizes[i])),
                          wide(static_cast<int64_t>(most)))};
  return tensors;
}

Result<double> WeftDevice::doTimedLaunch(const WeftDeviceKernel &kernel,
                                         const Parameters &parameters, int64_t blocks) {
  if (Status before = doWait(); !before)
    return before.error();
  auto start = std::chrono::steady_clock::now();
  Status status = doLaunch(kernel, parameters, blocks);
  if (status)
    status = doWait();
  if (!status)
    return status.error();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Status WeftDevice::waitForCopies() {
  if (failed)
    note(doWaitForCopies());
  return failed;
}

Status WeftDevice::wait() {
  if (failed)
    note(doWait());
  return failed;
}
