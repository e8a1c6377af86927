// Sizes and operands for a kernel of which nothing but its text is known.
#ifndef WEFT_TOOLS_KERNEL_INPUTS_H
#define WEFT_TOOLS_KERNEL_INPUTS_H

#include "ir/kernel/Kernel.h"
#include "tools/kernel/NamedTensor.h"

namespace weft::trial {

/// The sizes of all dimensions of a module, those that follow from others too, where `given` are
/// those that come with the data. Without `small` the name of the first one that is missing; with
/// it a missing one is small, and no vector divides it.
struct AllSizes {
  Sizes sizes;
  std::string missing; ///< empty if none is
  std::string beyond;  ///< which dimension has another size, or is larger than its bound; or empty
};
AllSizes sizesOf(mlir::ModuleOp module, const Sizes &given, bool small);

/// What the numbers of a buffer of `op` must stay below, and at most `most`: positions below the
/// size of their dimension; whole numbers below all sizes that something is looked up along, for
/// they may be positions by then.
int64_t wholeLimit(kernel::FusedOp op, model::NamedTensorType type, const Sizes &sizes,
                   int64_t most);

/// Values for all operands, the same in every run: floats around 0, or with `positive`, and where
/// the kernel takes a root or a logarithm of what they make up, from 0.1 on. What is constant along
/// a dimension in memory is constant.
std::vector<Tensor> inputsOf(kernel::FusedOp op, const Sizes &sizes, bool positive);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_INPUTS_H
