// What products take beside multiplying: what is computed of their sums, and adding the sums of
// parts.
#ifndef WEFT_IR_CUDA_ESTIMATES_ESTIMATEADDING_H
#define WEFT_IR_CUDA_ESTIMATES_ESTIMATEADDING_H

#include "ir/cuda/Cuda.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::cuda {

/// Of an element, what is computed beside its products.
struct Beside {
  double instructions = 0, floats = 0;
};
Beside besideProducts(kernel::FusedOp op, const kernel::Segment &segment);

/// Depths that are cut into at most `splits` parts of whole steps of `deep` elements.
struct DepthCut {
  DepthCut(EstimateCase kernel, const kernel::ContractionForm &form, int64_t splits, int64_t deep);

  bool isCut;
  int64_t deep;
  double parts;
  /// Of all parts of a depth; each is taken to have as many as the longest.
  double steps(double depth) const;
};

/// To what products take comes what becomes of their sums: where depths are cut, they are stored
/// for a launch behind, which adds them; else results are stored. `elements`: of all tiles of a
/// segment, of each part.
void addResults(Estimate &all, EstimateCase kernel, const kernel::ContractionForm &form,
                const kernel::Segment &segment, double elements, const DepthCut &cut);
/// The launch that adds up what the parts have left.
void addLaunchBehind(Estimate &all, EstimateCase kernel, const kernel::ContractionForm &form,
                     const DepthCut &cut);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ESTIMATES_ESTIMATEADDING_H
