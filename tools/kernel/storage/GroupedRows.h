// Rows of whole numbers that share scales (#kernel.layout, storage i8), element by element: how the
// interpreter rounds them, and how they lie in the memory of kernels on trial.
#ifndef WEFT_TOOLS_KERNEL_STORAGE_GROUPEDROWS_H
#define WEFT_TOOLS_KERNEL_STORAGE_GROUPEDROWS_H

#include "ir/kernel/storage/GroupedRows.h"

#include <string>
#include <vector>

namespace weft::trial {

using kernel::isGroupedRows;

/// Of a tensor that is dense and row-major over `dims`, with these sizes.
class GroupedRows {
public:
  GroupedRows(kernel::LayoutAttr layout, llvm::ArrayRef<std::string> dims,
              llvm::ArrayRef<int64_t> shape);

  /// To what is read again.
  void round(llvm::MutableArrayRef<double> values) const;
  /// Elements lie at these places of memory, whole groups of each: rounds and writes.
  static void encode(llvm::ArrayRef<double> values, llvm::ArrayRef<int64_t> places, char *memory);
  static double decode(const char *memory, int64_t place);

private:
  int64_t rowStep = 1, rowLength = 0; // along the dimension in which elements lie side by side
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_STORAGE_GROUPEDROWS_H
