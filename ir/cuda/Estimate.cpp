// What all estimates ask of a kernel.
#include "ir/cuda/Estimate.h"

#include "ir/kernel/Walk.h"

using namespace mlir;

namespace weft::cuda {

double EstimateCase::count(ArrayRef<model::DimAttr> list) const {
  return double(sizes(kernel::sizeOf(list)));
}

int64_t EstimateCase::elementBytes(unsigned buffer) {
  constexpr int64_t narrow = 2, wide = 4;
  return kernel::storageIn(op.getLayoutsAttr()[buffer]) ? narrow : wide;
}

Estimate together(const Estimate &one, const Estimate &other) {
  Estimate both = one;
  auto count = [](const Estimate &each) { return each.tiles > 0 ? each.tiles : each.blocks; };
  both.tiles = one.tiles + other.tiles > 0 ? count(one) + count(other) : 0;
  both.blocks += other.blocks;
  both.threads = std::max(one.threads, other.threads);
  both.sharedBytes += other.sharedBytes; // what a kernel declares, it has in every block
  both.registers = std::max(one.registers, other.registers);
  constexpr double finding = 4; // which kernel it is, of a thread: where it ends, a comparison
  both.instructions += other.instructions + finding * double(both.blocks * both.threads);
  both.floats += other.floats;
  both.tensorFlops += other.tensorFlops;
  both.tf32Flops += other.tf32Flops;
  both.sharedBytesMoved += other.sharedBytesMoved;
  both.globalBytesMoved += other.globalBytesMoved;
  return both;
}

} // namespace weft::cuda
