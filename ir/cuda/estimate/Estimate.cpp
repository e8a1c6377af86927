// What all estimates ask of a kernel.
#include "ir/cuda/estimate/Estimate.h"

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

} // namespace weft::cuda
