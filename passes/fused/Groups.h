// Which ops will become one kernel: a number on each of them, until weft-form-kernels moves them
// together.
#ifndef WEFT_PASSES_FUSED_GROUPS_H
#define WEFT_PASSES_FUSED_GROUPS_H

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace weft {

/// The groups of one block, in the order of their numbers. A group is legal when nothing outside
/// lies between its members: no path of uses leaves it and comes back, be it through other groups.
/// Then the block has an order in which the members of every group stand together.
class Groups {
public:
  using Members = llvm::SmallSetVector<mlir::Operation *, 8>;

  /// Reads the numbers that earlier fusions left.
  explicit Groups(mlir::Block &block);

  /// The number of an op's group, or nothing.
  static std::optional<int64_t> of(mlir::Operation *op);
  const Members &members(int64_t group) const { return groups.find(group)->second; }
  llvm::SmallVector<int64_t> numbers() const;

  /// A new group with these members, which together must be legal.
  int64_t form(mlir::ArrayRef<mlir::Operation *> ops);
  /// Adds members; together they must be legal.
  void add(int64_t group, mlir::ArrayRef<mlir::Operation *> ops);
  /// Moves the members of `from` into `into`.
  void merge(int64_t into, int64_t from);

  /// Whether these ops could stand together.
  bool isLegal(const Members &ops) const;
  bool couldAdd(int64_t group, mlir::ArrayRef<mlir::Operation *> ops) const;

  /// Moves the ops so that the members of each group follow each other; the rest stays where it
  /// can.
  void gather();

  /// Whether an op is free to be fused: a computing op of this block without a group.
  bool isLoose(mlir::Operation *op) const;

private:
  /// The ops of the block that use what `op` computes, inside regions too.
  llvm::SmallVector<mlir::Operation *> usersOf(mlir::Operation *op) const;

  mlir::Block &block;
  llvm::MapVector<int64_t, Members> groups;
};

/// Whether these ops, of one block, can be one kernel of contractions with what is made of them; if
/// not, `why` says the reason.
bool isOneContraction(const Groups::Members &ops, std::string *why = nullptr);

/// Calls `visit` for every block that holds ops to be fused: functions' and loops' bodies.
void forEachBlock(mlir::Operation *root, llvm::function_ref<void(mlir::Block &)> visit);

/// The dimensions of a type as a set.
using DimSet = llvm::SmallSetVector<mlir::StringAttr, 6>;
DimSet dimsOf(mlir::Value value);
bool contains(const DimSet &outer, const DimSet &inner);

} // namespace weft

#endif // WEFT_PASSES_FUSED_GROUPS_H
