// Which ops will become one kernel: a number on each of them, until weft-form-kernels moves them
// together.
#ifndef WEFT_PASSES_FUSED_GROUPS_H
#define WEFT_PASSES_FUSED_GROUPS_H

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace weft {

/// The groups of one block, in the order of their numbers. A group is legal (convex) when no path
/// of uses leaves it and comes back, be it through other groups. If all are, the block has an order
/// in which the members of every group follow each other.
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

  /// Whether a group of these ops would be legal. No op of the block may come or go between calls.
  bool isLegal(const Members &ops) const;
  /// Whether a group of the members of both would be legal.
  bool couldMerge(int64_t a, int64_t b) const;

  /// Moves the ops so that the members of each group follow each other; others keep their order as
  /// far as uses allow.
  void gather();

  /// Whether an op is free to be fused: a computing op of this block without a group.
  bool isLoose(mlir::Operation *op) const;

  /// The ops of the block that use results of `op`, also from inside their regions; and those whose
  /// results it uses.
  llvm::SmallVector<mlir::Operation *> usersOf(mlir::Operation *op) const;
  llvm::SmallVector<mlir::Operation *> neededBy(mlir::Operation *op) const;

private:
  /// The places of a group's first and last member in the block.
  struct Extent {
    unsigned first, last;
  };
  enum class Direction { up, down };
  using Search = llvm::function_ref<bool(mlir::Operation *)>;
  unsigned placeOf(mlir::Operation *op) const { return places.find(op)->second; }
  Extent extentOf(const Members &ops) const;
  unsigned farthest(Extent of, Direction direction) const;
  bool hasPath(const Members &from, Direction direction, Extent to, Search isInside,
               Search isGoal) const;
  void countPlaces();
  void extend(int64_t group, mlir::Operation *op);

  mlir::Block &block;
  llvm::MapVector<int64_t, Members> groups;
  int64_t next = 0; ///< the number of a new group
  llvm::DenseMap<mlir::Operation *, unsigned> places;
  /// Of groups with several members.
  std::map<int64_t, Extent> extents;
};

/// Whether these ops, of one block, can be one kernel of contractions with epilogues; if not, `why`
/// says the reason.
bool isOneContraction(const Groups::Members &ops, std::string *why = nullptr);

/// Calls `visit` for every block that holds ops to be fused: functions' and loops' bodies.
void forEachBlock(mlir::Operation *root, llvm::function_ref<void(mlir::Block &)> visit);

/// The dimensions of a type as a set.
using DimSet = llvm::SmallSetVector<model::DimAttr, 6>;
DimSet dimsOf(mlir::Value value);
bool contains(const DimSet &outer, const DimSet &inner);

} // namespace weft

#endif // WEFT_PASSES_FUSED_GROUPS_H
