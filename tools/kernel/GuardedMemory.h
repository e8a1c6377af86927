// Memory that kernels on trial are given: off any alignment, poisoned, between guards.
#ifndef WEFT_TOOLS_KERNEL_GUARDEDMEMORY_H
#define WEFT_TOOLS_KERNEL_GUARDEDMEMORY_H

#include "tools/kernel/NamedTensor.h"
#include "tools/kernel/storage/GroupedRows.h"
#include "tools/kernel/storage/GroupedWeights.h"

#include "ir/kernel/Kernel.h"

namespace weft::trial {

/// A tensor as it lies in memory, by strides or in panels. What is not an element is poison.
class GuardedTensor {
public:
  /// At a multiple of `alignment` bytes, a power of two of at most 128, and of no more.
  GuardedTensor(mlir::Attribute layout, mlir::Type element, const Tensor &shape, const Sizes &sizes,
                int64_t alignment = 4);
  void *address();
  /// Bytes from there on to the end of the last element.
  size_t size() const { return size_t(length); }

  /// Rounds the tensor to what can be stored.
  void put(const Tensor &tensor);
  /// What is read there.
  Tensor get();
  /// Whether every byte that is not an element is still poison.
  bool guarded();
  /// Whether what fills up panels is zero.
  bool padded() const;
  /// The elements and what is between them; before them lies as much as the alignment asks for.
  llvm::StringRef raw() const { return {bytes.data() + start, size_t(length)}; }

private:
  template <class Body> void each(Body body);
  void placeStrided(kernel::LayoutAttr layout, const Sizes &sizes);
  /// Gives the number of elements with the padding.
  int64_t placeInPanels(kernel::PanelsAttr panels, const Sizes &sizes);

  Tensor shape;
  int width = 1; // bytes of an element
  bool isFloat;
  std::optional<GroupedWeights> groups; // of panels whose elements share scales
  bool inRows = false;                  // of strided elements that do
  int64_t start = 0, length = 0;        // of the elements in `bytes`
  std::vector<int64_t> places, padding; // of the elements in their order, and of what is between
  std::vector<char> bytes;
};

/// A worker's scratch: NaNs, 64-byte aligned, whose neighbours are watched.
class GuardedScratch {
public:
  explicit GuardedScratch(int64_t size);
  char *address();
  /// Whether nothing around it was written.
  bool guarded();

private:
  int64_t size;
  std::vector<char> bytes;
};

/// Whether `got`, which was read from panels or rows that share scales, is exactly what `want` is
/// rounded to.
bool isRoundedTo(mlir::Attribute layout, const Tensor &got, Tensor want);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_GUARDEDMEMORY_H
