// A side of a product as a tensor of which tiles are copied (sm_90a: TMA).
#ifndef WEFT_IR_CUDA_TENSORSIDE_H
#define WEFT_IR_CUDA_TENSORSIDE_H

#include "ir/cuda/Schedules.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/Walk.h"

namespace weft::cuda {

/// Its dimensions: the depth, which is summed, the one across, of the result's rows or columns, and
/// those of the batch. Strides are in elements of 2 bytes.
struct TensorSide {
  bool alongDepth; ///< the depth is contiguous, else what lies across
  std::optional<kernel::Walk::Group> across, depth; ///< none: one element
  /// Outermost first; the tensor has no dimension where the stride is 0.
  llvm::SmallVector<kernel::Walk::Group> batch;
};

/// Of operand `side`, in a kernel whose dimensions lie in order (contractionInOrder). Nothing, and
/// why, where the side is no such tensor: its strides must be multiples of 16 bytes whatever the
/// sizes of a run, and its address too, which is not known here.
std::optional<TensorSide> tensorSideOf(KernelCase kernel, mlir::Value side,
                                       llvm::ArrayRef<model::DimAttr> batch,
                                       llvm::ArrayRef<model::DimAttr> across,
                                       llvm::ArrayRef<model::DimAttr> depth, std::string &why);
/// Bytes that the address of such a tensor is a multiple of.
constexpr unsigned tensorAlignment = 16;

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_TENSORSIDE_H
