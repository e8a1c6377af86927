// The figures of devices; where each is from is said in docs/predictions.md.
#include "runtime/emulator/prediction/Device.h"

namespace weft::emulator {

const Device &a100() {
  static const Device device = {.name = "A100 SXM",
                                .image = "sm_80",
                                .processors = 108,
                                .clock = 1.41e9,
                                .issues = 4,
                                .floats = 64,
                                .tensorFlops = 2048,
                                .tf32Flops = 1024,
                                .warpProducts = 1, // it has no others
                                .sharedBytes = 128,
                                .special = 16,
                                .cacheBytes = 4e12,
                                .memoryBytes = 2.039e12,
                                .memoryShare = 0.92,
                                .start = 2.5e-6,
                                .latency = 1e-6,
                                .threads = 2048,
                                .blocks = 32,
                                .registers = 65536,
                                .shared = 164 << 10,
                                .sharedOfBlock = 1 << 10};
  return device;
}

const Device &h100() {
  static const Device device = {.name = "H100 SXM",
                                .image = "sm_90a",
                                .processors = 132,
                                .clock = 1.83e9,
                                .issues = 4,
                                .floats = 128,
                                .tensorFlops = 4096,
                                .tf32Flops = 2048,
                                .warpProducts = 0.62,
                                .sharedBytes = 128,
                                .special = 16,
                                .cacheBytes = 9.1e12,
                                .memoryBytes = 3.35e12,
                                .memoryShare = 0.92,
                                .start = 2.5e-6,
                                .latency = 1e-6,
                                .threads = 2048,
                                .blocks = 32,
                                .registers = 65536,
                                .shared = 228 << 10,
                                .sharedOfBlock = 1 << 10};
  return device;
}

std::span<const Device *const> devices() {
  static const Device *const all[] = {&a100(), &h100()};
  return all;
}

double peak(const Device &device, Arithmetic arithmetic) {
  double each = arithmetic == Arithmetic::float32 ? 2 * device.floats
                : arithmetic == Arithmetic::tf32  ? device.tf32Flops
                                                  : device.tensorFlops;
  return each * device.clock * device.processors;
}

} // namespace weft::emulator
