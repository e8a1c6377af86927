// The same two things on a device and without one.
#include "runtime/training/arithmetic/Arithmetic.h"

#include "runtime/machine/Ranges.h"

#include <algorithm>

using namespace weft::runtime;

/// How many blocks go over so many floats: each thread has some, and no device more than it can
/// run at once.
static int64_t blocksFor(const WeftDeviceKernel &kernel, int64_t count) {
  constexpr int64_t each = 16, most = 1024;
  int64_t share = each * kernel.threads;
  return std::clamp<int64_t>((count + share - 1) / share, 1, most);
}

/// Launches a kernel over `count` floats.
static void launch(Device &device, const WeftDeviceKernel &kernel, int64_t count,
                   std::initializer_list<void *> buffers) {
  device.launch(kernel, &count, buffers.begin(), nullptr, blocksFor(kernel, count));
}

/// Makes `mirror` as large, where copies are fast.
static Status ensure(Mirror &mirror, Device &device, int64_t bytes, const char *what) {
  if (mirror.size() >= bytes)
    return success();
  Result<Mirror> larger = Mirror::create(&device, bytes, what, smallerBatch, /*staged=*/true);
  if (!larger)
    return larger.error();
  mirror = std::move(*larger);
  return mirror.place();
}

Result<const WeftDeviceServices *> Arithmetic::services() const {
  if (!model.program.services)
    return Error{Code::Internal, "the program's code for devices lacks the kernels that the "
                                 "runtime needs between entries"};
  return model.program.services;
}

Result<void *> Arithmetic::factorOnDevice(float factor) {
  if (Result<const WeftDeviceServices *> known = services(); !known)
    return known.error();
  if (Status status = ensure(number, *device(), sizeof factor, "a factor"); !status)
    return status.error();
  if (Status status = device()->waitForCopies(); !status) // of the factor before
    return status.error();
  *reinterpret_cast<float *>(number.write()) = factor;
  return number.forCode();
}

Status Arithmetic::add(std::span<const Floats> sums, std::span<const Floats> values, float share,
                       bool first) {
  void *factor = nullptr;
  if (device()) {
    Result<void *> placed = factorOnDevice(share);
    if (!placed)
      return placed.error();
    factor = *placed;
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    int64_t count = sums[i].count;
    auto *sum =
        static_cast<float *>(first ? sums[i].memory->forResult() : sums[i].memory->forCode());
    auto *value = static_cast<float *>(values[i].memory->forCode());
    if (device()) {
      if (first)
        device()->fill(sum, 0, count * 4);
      if (share != 0)
        launch(*device(), model.program.services->add, count, {sum, value, factor});
      sums[i].memory->written();
      continue;
    }
    overRanges(*model.pool, "sum of gradients", count, [&](int64_t begin, int64_t end) {
      if (first)
        std::fill(sum + begin, sum + end, 0.0f);
      for (int64_t j = begin; j < end && share != 0; ++j)
        sum[j] += value[j] * share;
    });
  }
  return device() ? device()->failure() : success();
}

Status Arithmetic::scale(std::span<const Floats> tensors, float factor) {
  void *placed = nullptr;
  if (device()) {
    Result<void *> there = factorOnDevice(factor);
    if (!there)
      return there.error();
    placed = *there;
  }
  for (const Floats &tensor : tensors) {
    auto *values = static_cast<float *>(tensor.memory->forCode());
    if (device()) {
      launch(*device(), model.program.services->scale, tensor.count, {values, placed});
      tensor.memory->written();
      continue;
    }
    overRanges(*model.pool, "scaled gradients", tensor.count, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j)
        values[j] *= factor;
    });
  }
  return device() ? device()->failure() : success();
}
