// How an address moves as one index runs over several dimensions.
#ifndef WEFT_CODEGEN_CPU_WALK_H
#define WEFT_CODEGEN_CPU_WALK_H

#include "codegen/cpu/Emission.h"
#include "ir/kernel/Kernel.h"

namespace weft::cpu {

/// The path through a strided layout of an index that runs over some dimensions, row-major.
/// Neighbours that lie in memory like one dimension are one group, so most walks have a single
/// stride.
struct Walk {
  struct Group {
    Size extent, stride; // stride in elements; 0 along dimensions that the value lacks
  };
  llvm::SmallVector<Group> groups; // outermost first; none if the index is always 0

  /// The address never moves.
  bool still() const;
  /// The address is a multiple of the index.
  bool linear() const { return groups.size() <= 1; }
  /// The stride of a linear walk.
  Size stride() const { return groups.empty() ? Size::number(0) : groups.front().stride; }
  /// Neighbours of the index are neighbours in memory.
  bool contiguous() const;
  /// `count` neighbours, the first at a multiple of `count`, are neighbours in memory.
  bool contiguousBy(unsigned count) const;

  /// The offset in elements at `index`; for walks of several groups this divides.
  llvm::Value *offset(llvm::IRBuilderBase &builder, Emission &emission, llvm::Value *index,
                      llvm::Value *sizes) const;
};

/// The walk of an index over `dims` (the last runs fastest) through `layout`.
Walk walkOver(const Emission &emission, kernel::LayoutAttr layout,
              llvm::ArrayRef<mlir::StringAttr> dims);

/// The product of the sizes of `dims`.
Size sizeOf(llvm::ArrayRef<mlir::StringAttr> dims);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_WALK_H
