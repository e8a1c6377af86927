// Ops without a group that are to stand together, and what is around them.
#ifndef WEFT_PASSES_FUSED_TOGETHER_H
#define WEFT_PASSES_FUSED_TOGETHER_H

#include "passes/fused/Groups.h"

namespace weft {

/// Grows by an op at a time. What follows from its members, and what they need, is found once for
/// each of them: so many ops can be asked about. Meanwhile no group grows.
class Together {
public:
  Together(const Groups &groups, mlir::Operation *first) : groups(groups) { add(first); }

  const Groups::Members &members() const { return ops; }
  /// Whether `op`, which has no group, could stand with the members (Groups::isLegal).
  bool couldAdd(mlir::Operation *op) const;
  void add(mlir::Operation *op);

private:
  using Ops = llvm::DenseSet<mlir::Operation *>;
  void follow(mlir::Operation *op, Ops &found, bool down);

  const Groups &groups;
  Groups::Members ops;
  Ops behind, before; ///< what is reached by uses, and against them; not the members
};

} // namespace weft

#endif // WEFT_PASSES_FUSED_TOGETHER_H
