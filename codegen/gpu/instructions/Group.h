// Products by four warps (sm_90a: wgmma), whose sums cannot be read before they have been waited
// for.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_GROUP_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_GROUP_H

#include "codegen/gpu/instructions/Assembly.h"
#include "codegen/gpu/instructions/Mma.h"

namespace weft::gpu {

constexpr unsigned groupRows = 64;

/// A descriptor (i64) of a part of a tile, for a product: from one of its rows (of the matrix) and
/// depths (in elements) on. The tile's rows are along the depth, or, `transposed`, it is several
/// tiles of `swizzle` bytes of the matrix's rows by its whole depth, one behind the other.
llvm::Value *descriptorOf(Builder &builder, const SharedTile &tile, Element element,
                          bool transposed, llvm::Value *row, unsigned deep);

/// Sums that products may be under way to: there is nothing to be done with them but more products,
/// and to wait.
class PendingAccumulators;

/// A lane's piece of 64 rows of sums.
class Accumulators {
public:
  static Accumulators zero(Builder &builder, unsigned columns);
  /// Of registers as `registers` gives them.
  static Accumulators of(llvm::ArrayRef<llvm::Value *> registers);
  llvm::ArrayRef<llvm::Value *> registers() const { return values; }
  unsigned columns() const { return values.size() * 2; }
  /// Pair number `pair` of sums that stand side by side.
  std::pair<llvm::Value *, llvm::Value *> pairOf(unsigned pair) const {
    return {values[2 * pair], values[2 * pair + 1]};
  }
  unsigned pairs() const { return values.size() / 2; }
  /// Where in the 64 rows (i32), by all four warps, and in the columns.
  static llvm::Value *rowOf(Builder &builder, unsigned pair);
  static llvm::Value *columnOf(Builder &builder, unsigned pair);

private:
  friend class PendingAccumulators;
  llvm::SmallVector<llvm::Value *> values;
};

class PendingAccumulators {
public:
  /// Registers become sums of products.
  static PendingAccumulators begin(Builder &builder, const Accumulators &from);
  /// As a loop carries them.
  static PendingAccumulators carried(llvm::ArrayRef<llvm::Value *> values);
  llvm::ArrayRef<llvm::Value *> carried() const { return values; }

  /// Before the first product of a group whose sums are from an earlier one.
  void fence(Builder &builder);
  void add(Builder &builder, const GroupProduct &product, llvm::Value *leftMatrix,
           llvm::Value *rightMatrix);
  /// The left side in registers, which are not to be written before the products are waited for.
  void add(Builder &builder, const GroupProduct &product, const LeftFragment &left,
           llvm::Value *rightMatrix);
  /// Until at most so many of the last groups are under way, none of which adds to these. `read`
  /// gets the registers of left sides, in order, where they are to be read again.
  Accumulators wait(Builder &builder, unsigned underWay = 0,
                    llvm::SmallVectorImpl<llvm::Value *> *read = nullptr) &&;

private:
  void emit(Builder &builder, const GroupProduct &product, llvm::ArrayRef<llvm::Value *> operands);
  llvm::SmallVector<llvm::Value *> values;
  llvm::SmallVector<llvm::Value *> lefts; ///< registers that products under way read
};

/// The products since the last time are a group.
void commitProducts(Builder &builder);
/// Until what all but so many of the last groups read may be written again; their sums are no
/// nearer.
void waitForReads(Builder &builder, unsigned underWay);

/// Registers of each thread of four warps, from here on: what a producer gives back consumers have.
void shrinkRegisters(Builder &builder, unsigned count);
void growRegisters(Builder &builder, unsigned count);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_GROUP_H
