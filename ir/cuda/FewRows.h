// Products of few rows: which schedule is chosen.
#ifndef WEFT_IR_CUDA_FEWROWS_H
#define WEFT_IR_CUDA_FEWROWS_H

#include "ir/cuda/Schedules.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::cuda {

/// Rows up to which a product takes about as long as its right side takes to be read.
constexpr int64_t fewRows = 16;

/// What a cost model chooses for a product of at most that many rows, and the clocks that it takes.
std::pair<FewRowsAttr, double> fewRowsFor(KernelCase kernel, const kernel::ContractionForm &form,
                                          const Device &device);
/// Why a kernel cannot have such a schedule on the device, or "".
std::string fewRowsProblem(const kernel::ContractionForm &form, FewRowsAttr schedule);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_FEWROWS_H
