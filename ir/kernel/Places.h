// Where values lie: the storage a value is a view of, and its strides in there.
#ifndef WEFT_IR_KERNEL_PLACES_H
#define WEFT_IR_KERNEL_PLACES_H

#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"

namespace weft {

/// A view of a storage: the value's element at position p lies `offset + sum(p_d * stride_d)`
/// elements into `root`.
struct Place {
  mlir::Value root;
  kernel::LayoutAttr layout;
  Size offset;
};

/// The elements from one row of a kernel's result to the next, where these are more than it has
/// along its last dimension (`weft-pad-rows`); 0: it is dense. What lies between rows is no value.
int64_t pitchOf(mlir::Value root);
void setPitch(mlir::OpResult root, int64_t pitch);

/// Computes places. Roots (arguments, parameters, results of kernels and loops) are row-major in
/// the order of their type, and dense but for the pitch of a kernel's result; regroup, part, pick,
/// broadcast and insertions into caches are views of them. The place of a value that is inserted
/// into a cache is in that cache.
class Places {
public:
  explicit Places(mlir::ModuleOp module) : sizes(module) {}

  /// Nothing if the value cannot be a view (a merge of dimensions that are not contiguous).
  std::optional<Place> of(mlir::Value value) const;
  /// The dense layout of a type, with sizes in normal form.
  kernel::LayoutAttr dense(model::NamedTensorType type) const { return rowMajor(type, 0); }
  /// The elements of the memory of a root, those between its rows too.
  Size room(mlir::Value root) const;

  const model::Dims sizes;

private:
  kernel::LayoutAttr rowMajor(model::NamedTensorType type, int64_t pitch) const;
  /// The place where dimensions `from`, as one run of positions, are called `to`.
  std::optional<Place> regrouped(Place place, llvm::ArrayRef<model::DimAttr> from,
                                 llvm::ArrayRef<model::DimAttr> to) const;
  /// The rows of a cache into which a kernel writes its result.
  std::optional<Place> rowsOf(model::InsertPartOp write, mlir::Value rows) const;
};

/// Ops whose result is another view of an operand's memory. An insertion into a cache is one: its
/// result is the cache, and the rows are written there by the kernel that computes them.
bool isView(mlir::Operation *op);
/// Ops through which values leave a block: its terminator, and assignments.
bool isBlockExit(mlir::Operation *op);

/// Whether `op` inserts rows into an argument that the calls of an entry share (`model.cache`), or
/// a slice of one.
bool isCacheWrite(mlir::Operation *op);
/// Whether `value` is a cache: the result of an insertion into one, or of a loop around that.
bool isCache(mlir::Value value);
/// The insertion that takes the result of a kernel, or that result with dimensions merged, if the
/// kernel can write it there.
model::InsertPartOp cacheWriteOf(mlir::Value value);

} // namespace weft

#endif // WEFT_IR_KERNEL_PLACES_H
