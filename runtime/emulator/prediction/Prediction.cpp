// The model.
#include "runtime/emulator/prediction/Prediction.h"

#include <algorithm>
#include <cmath>

namespace weft::emulator {

Counts scaled(const Counts &counts, double times) {
  Counts result = counts;
  auto *numbers = reinterpret_cast<uint64_t *>(&result);
  for (unsigned i = 0; i < sizeof(Counts) / sizeof(uint64_t); ++i)
    numbers[i] = uint64_t(std::llround(double(numbers[i]) * times));
  return result;
}

/// Registers are given to warps in pieces of 256.
static size_t blocksByRegisters(const Footprint &footprint, const Device &device) {
  constexpr size_t lanes = 32, piece = 256;
  if (!footprint.registers)
    return device.blocks;
  size_t warp = (footprint.registers * lanes + piece - 1) / piece * piece;
  return device.registers / (warp * (footprint.threads / lanes));
}

Prediction predict(const Counts &counts, const Footprint &footprint, const Device &device,
                   uint64_t bytes) {
  Prediction result;
  result.blocksOfProcessor = unsigned(std::min<size_t>(
      {device.threads / footprint.threads, device.blocks, blocksByRegisters(footprint, device),
       device.shared / (footprint.shared + device.sharedOfBlock)}));
  if (!result.blocksOfProcessor)
    return result;
  result.occupancy = double(result.blocksOfProcessor) * footprint.threads / device.threads;
  double blocks = double(std::max<uint64_t>(counts.blocks, 1));
  result.waves = std::ceil(blocks / (double(device.processors) * result.blocksOfProcessor));
  // The processor with the most blocks has so many times what it would have of an even share.
  double share = std::ceil(blocks / device.processors) / blocks;
  if (footprint.tiles)
    share = std::ceil(double(footprint.tiles) / blocks) * std::ceil(blocks / device.processors) /
            double(footprint.tiles);
  double clocks = share / device.clock;

  constexpr double lanes = 32, sectorBytes = 32;
  double loads = double(counts.products) * lanes; // they are issued too, and counted by warps
  result.issue = (double(counts.instructions) + loads) / lanes / device.issues * clocks;
  result.floats = double(counts.floats) / device.floats * clocks;
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
  result.memory = (bytes ? double(bytes) : moved) / (device.memoryBytes * device.memoryShare);

  const struct {
    const char *name;
    double seconds;
  } all[] = {{"issue", result.issue},     {"floats", result.floats}, {"tensor", result.tensor},
             {"special", result.special}, {"shared", result.shared}, {"cache", result.cache},
             {"memory", result.memory}};
  for (const auto &each : all)
    if (each.seconds > result.seconds) {
      result.seconds = each.seconds;
      result.bound = each.name;
    }
  result.seconds += device.start + result.waves * device.latency;
  return result;
}

void Prediction::add(const Prediction &then) {
  bound = then.seconds > seconds ? then.bound : bound;
  seconds = seconds && then.seconds ? seconds + then.seconds : 0;
  for (double Prediction::*each :
       {&Prediction::waves, &Prediction::issue, &Prediction::floats, &Prediction::tensor,
        &Prediction::special, &Prediction::shared, &Prediction::cache, &Prediction::memory})
    this->*each += then.*each;
  launches += then.launches;
}

double roofline(const Task &task, const Device &device) {
  double products = task.products / peak(device, task.arithmetic);
  double others = task.others / peak(device, Arithmetic::float32);
  // What multiplies matrices works beside what does everything else.
  double both =
      task.arithmetic == Arithmetic::float32 ? products + others : std::max(products, others);
  return std::max(both, task.bytes / device.memoryBytes);
}

} // namespace weft::emulator
