// The figures of devices, and the model.
#include "runtime/emulator/prediction/Prediction.h"

#include <algorithm>
#include <cmath>

namespace weft::emulator {

/// NVIDIA H100 SXM5 80 GB: its data sheet's 989 and 495 TFLOP/s are 4096 and 2048 a processor and
/// clock at 1.83 GHz; 3.35 TB/s; what is not in it is said in the decision.
const Device &h100() {
  static const Device device = {.name = "H100 SXM",
                                .processors = 132,
                                .clock = 1.83e9,
                                .issues = 4,
                                .tensorFlops = 4096,
                                .tf32Flops = 2048,
                                .warpProducts = 0.62,
                                .sharedBytes = 128,
                                .special = 16,
                                .cacheBytes = 5.5e12,
                                .memoryBytes = 3.35e12 * 0.92,
                                .start = 2.5e-6,
                                .latency = 1e-6,
                                .threads = 2048,
                                .blocks = 32,
                                .shared = 228 << 10,
                                .sharedOfBlock = 1 << 10};
  return device;
}

Counts scaled(const Counts &counts, double times) {
  Counts result = counts;
  auto *numbers = reinterpret_cast<uint64_t *>(&result);
  for (unsigned i = 0; i < sizeof(Counts) / sizeof(uint64_t); ++i)
    numbers[i] = uint64_t(std::llround(double(numbers[i]) * times));
  return result;
}

Prediction predict(const Counts &counts, const Grid &grid, const Device &device, uint64_t bytes) {
  Prediction result;
  result.blocksOfProcessor =
      unsigned(std::min<size_t>({device.threads / grid.threads, device.blocks,
                                 device.shared / (grid.shared + device.sharedOfBlock)}));
  if (!result.blocksOfProcessor)
    return result;
  result.occupancy = double(result.blocksOfProcessor) * grid.threads / device.threads;
  double blocks = double(counts.blocks);
  result.waves = std::ceil(blocks / (double(device.processors) * result.blocksOfProcessor));
  // The processor with the most blocks has so many times what it would have of an even share.
  double share = std::ceil(blocks / device.processors) / blocks;
  double clocks = share / device.clock;

  constexpr double lanes = 32, sectorBytes = 32;
  double loads = double(counts.products) * lanes; // they are issued too, and counted by warps
  result.issue = (double(counts.instructions) + loads) / lanes / device.issues * clocks;
  double flops =
      double(counts.tensorFlops) / device.tensorFlops + double(counts.tf32Flops) / device.tf32Flops;
  double byWarps = counts.products ? device.warpProducts : 1;
  result.tensor = flops / byWarps * clocks;
  result.special = double(counts.approximations) / device.special * clocks;
  double passes = double(counts.sharedReads + counts.sharedWrites + counts.sharedCopyBytes +
                         counts.sharedMatrixBytes) /
                      device.sharedBytes +
                  double(counts.conflicts + counts.matrixConflicts);
  result.shared = passes * clocks;
  double moved = double(counts.sectors) * sectorBytes + double(counts.copiedBytes) +
                 double(counts.storedBytes);
  result.cache = moved / device.cacheBytes;
  result.memory = (bytes ? double(bytes) : moved) / device.memoryBytes;

  const struct {
    const char *name;
    double seconds;
  } all[] = {{"issue", result.issue},   {"tensor", result.tensor}, {"special", result.special},
             {"shared", result.shared}, {"cache", result.cache},   {"memory", result.memory}};
  for (const auto &each : all)
    if (each.seconds > result.seconds) {
      result.seconds = each.seconds;
      result.bound = each.name;
    }
  result.seconds += device.start + result.waves * device.latency;
  return result;
}

} // namespace weft::emulator
