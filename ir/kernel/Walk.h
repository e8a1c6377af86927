// How an address moves as one index runs over several dimensions.
#ifndef WEFT_IR_KERNEL_WALK_H
#define WEFT_IR_KERNEL_WALK_H

#include "ir/kernel/DimTable.h"
#include "ir/kernel/Kernel.h"

namespace weft::kernel {

/// The addresses, in a strided layout, of an index that runs over some dimensions, row-major.
/// Neighbouring dimensions that collapse into one in memory are one group, so most walks have a
/// single stride.
struct Walk {
  struct Group {
    Size extent, stride; // stride in elements; 0 along dimensions that the value lacks
  };
  llvm::SmallVector<Group> groups; // outermost first; none if the index is always 0

  /// The address is the same for every index.
  bool invariant() const;
  /// The address is a multiple of the index.
  bool linear() const { return groups.size() <= 1; }
  /// The stride of a linear walk.
  Size stride() const { return groups.empty() ? Size::number(0) : groups.front().stride; }
  /// Neighbours of the index are neighbours in memory.
  bool contiguous() const;
  /// `count` neighbours, the first at a multiple of `count`, are neighbours in memory.
  bool contiguousBy(unsigned count) const;
};

/// The walk of an index over `dims` (the last runs fastest) through `layout`.
Walk walkOver(const DimTable &table, LayoutAttr layout, llvm::ArrayRef<DimAttr> dims);

/// Whether it is a multiple of `number` whatever the sizes of dimensions.
bool isMultiple(const Size &size, int64_t number);

/// The product of the sizes of `dims`.
Size sizeOf(llvm::ArrayRef<DimAttr> dims);

/// The dimensions of a kernel as three flattened indices, the last of each running fastest.
struct Axes {
  DimList batch, rows, columns;
};

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_WALK_H
