// A kernel of a GPU that nobody runs.
#include "tools/kernel/Estimated.h"

namespace weft::trial {

emulator::Counts countsOf(const cuda::Estimate &estimate) {
  constexpr double sector = 32;
  emulator::Counts counts;
  counts.blocks = uint64_t(estimate.blocks);
  counts.threads = uint64_t(estimate.blocks * estimate.threads);
  counts.instructions = uint64_t(estimate.instructions);
  constexpr double product = 2.0 * 16 * 8 * 16, lanes = 32; // operations of one, by a warp
  if (!estimate.byGroups)
    counts.products = uint64_t((estimate.tensorFlops + 2 * estimate.tf32Flops) / product);
  counts.instructions -= std::min(counts.instructions, uint64_t(double(counts.products) * lanes));
  counts.floats = uint64_t(estimate.floats);
  counts.tensorFlops = uint64_t(estimate.tensorFlops);
  counts.tf32Flops = uint64_t(estimate.tf32Flops);
  counts.sharedReads = uint64_t(estimate.sharedBytesMoved);
  counts.sectors = uint64_t(estimate.globalBytesMoved / sector);
  return counts;
}

/// Of one launch, which moves so many bytes by memory.
static emulator::Prediction predictOne(const cuda::Estimate &estimate, double bytes,
                                       const emulator::Device &device) {
  emulator::Footprint footprint{unsigned(estimate.threads), size_t(estimate.sharedBytes),
                                unsigned(estimate.registers), uint64_t(estimate.tiles)};
  return emulator::predict(countsOf(estimate), footprint, device, uint64_t(bytes));
}

emulator::Prediction predict(const cuda::Estimate &estimate, const kernel::Work &work,
                             const emulator::Device &device) {
  if (!estimate.then)
    return predictOne(estimate, work.bytes(), device);
  // What one launch leaves for the next passes by memory once for each of them.
  emulator::Prediction all = predictOne(estimate, work.read + estimate.left, device);
  double left = estimate.left;
  for (const cuda::Estimate *each = estimate.then.get(); each; each = each->then.get()) {
    all.add(predictOne(*each, left + (each->then ? each->left : work.written), device));
    left = each->left;
  }
  return all;
}

double roofline(const kernel::Work &work, const emulator::Device &device) {
  auto arithmetic = work.factors == kernel::Factors::bf16   ? emulator::Arithmetic::tensor
                    : work.factors == kernel::Factors::tf32 ? emulator::Arithmetic::tf32
                                                            : emulator::Arithmetic::float32;
  return emulator::roofline({work.products, work.others, arithmetic, work.bytes()}, device);
}

} // namespace weft::trial
