// The dimensions that a module declares, and their sizes.
#ifndef WEFT_IR_MODEL_DIMS_H
#define WEFT_IR_MODEL_DIMS_H

#include "ir/model/Model.h"

#include "llvm/ADT/StringSet.h"

namespace weft::model {

/// A snapshot of a module's `model.dim` ops; it does not follow later changes of the module.
class Dims {
public:
  explicit Dims(mlir::ModuleOp module);
  /// Of these alone: sizes stay in terms of what others say.
  explicit Dims(llvm::ArrayRef<DimOp> ops);

  /// In the order of declaration.
  llvm::ArrayRef<DimOp> declared() const { return ops; }
  bool has(llvm::StringRef name) const { return sizes.contains(name); }

  /// The size in terms of dimensions that come with the data. An undeclared name stands for itself.
  Size size(llvm::StringRef name) const;
  Size size(DimAttr name) const { return size(name.getValue()); }
  /// The number of elements of a tensor that has exactly `dims`.
  Size size(llvm::ArrayRef<DimAttr> dims) const;
  /// `size` in terms of dimensions that come with the data.
  Size resolve(const Size &size) const;
  /// The size, where it is static.
  std::optional<int64_t> fixed(DimAttr name) const { return size(name).constant(); }
  /// What the dimension is at most, as declared.
  std::optional<Size> bound(llvm::StringRef name) const;
  /// Whether a run may have no position of it.
  bool mayBeEmpty(llvm::StringRef name) const;
  /// Bytes of a dense tensor.
  Size bytes(NamedTensorType type) const;
  /// The size for planning where sizes are unknown: bounds where there are some, otherwise a guess.
  int64_t nominal(const Size &size) const;

private:
  llvm::SmallVector<DimOp> ops;
  llvm::StringMap<Size> sizes, bounds;
  llvm::StringSet<> empty; ///< dimensions that may have no positions
};

/// Bytes of one element in memory: float and int take 4, bool 1.
int64_t elementBytes(NamedTensorType type);

/// Calls `visit` with every dimension that types and attributes of `op` name, perhaps more than
/// once.
void forEachDim(mlir::Operation *op, llvm::function_ref<void(DimAttr)> visit);

/// The name that the source gives a value with this location, if any: the innermost one.
std::optional<std::string> nameOf(mlir::Location location);

/// The name of a dimension in the source: calls and picks rename dimensions that would clash.
std::string written(mlir::Operation *op, DimAttr dim);

/// The same place under another name.
mlir::Location withName(mlir::Location location, llvm::StringRef name);

} // namespace weft::model

#endif // WEFT_IR_MODEL_DIMS_H
