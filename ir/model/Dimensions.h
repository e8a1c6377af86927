// The sizes of a module's dimensions, in normal form.
#ifndef WEFT_IR_MODEL_DIMENSIONS_H
#define WEFT_IR_MODEL_DIMENSIONS_H

#include "ir/model/Model.h"

namespace weft::model {

/// Reads the `model.dim`s of a module once. Every size it gives names only dimensions that come
/// with the data.
class Dimensions {
public:
  explicit Dimensions(mlir::ModuleOp module);

  /// The size of one dimension.
  Size size(llvm::StringRef dim) const;
  Size size(mlir::StringAttr dim) const { return size(dim.getValue()); }
  /// The product of several.
  Size product(llvm::ArrayRef<mlir::StringAttr> dims) const;
  /// Static and derived dimensions replaced by what they are.
  Size normal(const Size &size) const;
  /// Bytes of a dense tensor: float and int take 4, bool 1.
  Size bytes(NamedTensorType type) const;
  /// The size for planning where sizes are unknown: bounds where there are some, otherwise a guess.
  int64_t nominal(const Size &size) const;

private:
  llvm::StringMap<Size> sizes;
  llvm::StringMap<Size> bounds;
};

/// Bytes of one element in memory.
int64_t elementBytes(NamedTensorType type);

} // namespace weft::model

#endif // WEFT_IR_MODEL_DIMENSIONS_H
