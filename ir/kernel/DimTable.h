// The dimensions of a program as its kernels take them: numbered, with the sizes that are static.
#ifndef WEFT_IR_KERNEL_DIMTABLE_H
#define WEFT_IR_KERNEL_DIMTABLE_H

#include "ir/model/Model.h"
#include "ir/size/Size.h"

#include "llvm/ADT/StringMap.h"

namespace weft::kernel {

/// The dimensions of a program: their number in the `sizes` array of the ABI, and their size if it
/// is static.
struct DimTable {
  struct Entry {
    unsigned number = 0;
    std::optional<int64_t> size;
  };
  llvm::StringMap<Entry> dims;

  /// Numbers the dimensions of a module in the order of its `model.dim`s.
  static DimTable of(mlir::ModuleOp module);

  /// The value of `size` if every dimension in it is static.
  std::optional<int64_t> known(const Size &size) const;
  /// The same of a dimension.
  std::optional<int64_t> known(llvm::StringRef dim) const;
  /// `size` with the static dimensions replaced by their sizes.
  Size folded(const Size &size) const;
};

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_DIMTABLE_H
