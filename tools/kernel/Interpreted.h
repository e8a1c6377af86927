// What the float64 interpreter makes of a kernel's ops.
#ifndef WEFT_TOOLS_KERNEL_INTERPRETED_H
#define WEFT_TOOLS_KERNEL_INTERPRETED_H

#include "ir/kernel/Kernel.h"
#include "tools/kernel/NamedTensor.h"

namespace weft::trial {

/// What `model.random` draws from.
struct RandomKey {
  uint64_t seed = 0, step = 0, first = 0;
};

/// The results of the kernel for `inputs`, one for each operand, in float64; what it draws begins
/// at index 0. Nothing if the interpreter refuses: it has said why, on the kernel.
std::optional<std::vector<Tensor>> interpret(kernel::FusedOp op, const Sizes &sizes,
                                             const std::vector<Tensor> &inputs,
                                             RandomKey random = {});

/// By how much each element of the results may be off where weights of an attention that its
/// products read as bf16 are rounded otherwise than by the interpreter, or not at all. Nothing
/// where the kernel has none.
std::optional<std::vector<Tensor>> boundsOfNarrowWeights(kernel::FusedOp op, const Sizes &sizes,
                                                         const std::vector<Tensor> &inputs);

/// The gradient of an attention takes what the attention gave. Puts that into the inputs of `op`
/// that are its output and its logsumexp, where `op` is such a kernel.
void giveForwardResults(kernel::FusedOp op, const Sizes &sizes, std::vector<Tensor> &inputs);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_INTERPRETED_H
