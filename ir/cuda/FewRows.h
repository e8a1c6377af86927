// Products of few rows: which schedule is chosen.
#ifndef WEFT_IR_CUDA_FEWROWS_H
#define WEFT_IR_CUDA_FEWROWS_H

#include "ir/cuda/Schedules.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::cuda {

/// Rows up to which a product takes about as long as its right side takes to be read, and up to
/// which it may take less as one of few rows than by matrix instructions in large tiles.
constexpr int64_t fewRows = 16, mostFewRows = 256;

/// Whether neighbours in memory of a right side lie along the depth.
bool liesDeep(KernelCase kernel, const kernel::Segment &segment, const kernel::Term &term);

/// What a cost model chooses for a product of few rows, and the clocks that it takes for so many,
/// where they come with the data.
std::pair<FewRowsAttr, double> fewRowsFor(KernelCase kernel, const kernel::ContractionForm &form,
                                          const Device &device, int64_t rows);
/// Why a kernel cannot have such a schedule on the device, or "".
std::string fewRowsProblem(const kernel::ContractionForm &form, FewRowsAttr schedule);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_FEWROWS_H
