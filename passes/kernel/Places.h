// Where values lie: the storage a value is a view of, and its strides in there.
#ifndef WEFT_PASSES_KERNEL_PLACES_H
#define WEFT_PASSES_KERNEL_PLACES_H

#include "ir/kernel/Kernel.h"
#include "ir/model/Dimensions.h"

namespace weft {

/// A view of a storage: the value's element at position p lies `offset + sum(p_d * stride_d)` elements into `root`.
struct Place {
  mlir::Value root;
  kernel::LayoutAttr layout;
  Size offset;
};

/// Computes places. Roots (arguments, parameters, results of kernels and loops) are dense and row-major in the order
/// of their type; regroup, part, pick and broadcast are views of them.
class Places {
public:
  explicit Places(mlir::ModuleOp module) : dimensions(module) {}

  /// Nothing if the value cannot be a view (a merge of dimensions that are not contiguous).
  std::optional<Place> of(mlir::Value value) const;
  /// The dense layout of a type, with sizes in normal form.
  kernel::LayoutAttr dense(model::NamedTensorType type) const;

  const model::Dimensions dimensions;

private:
  std::optional<Place> regroup(model::RegroupOp op) const;
};

/// Ops that only say how to look at a value.
bool isView(mlir::Operation *op);

} // namespace weft

#endif // WEFT_PASSES_KERNEL_PLACES_H
