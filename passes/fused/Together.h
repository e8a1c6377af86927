// Ops without a group that are to become one, and the ops that use or precede them.
#ifndef WEFT_PASSES_FUSED_TOGETHER_H
#define WEFT_PASSES_FUSED_TOGETHER_H

#include "passes/fused/Groups.h"

namespace weft {

/// Grows by an op at a time. What depends on its members, and what they depend on, is searched once
/// for each of them, so that it is cheap to ask about many ops. Meanwhile no group may grow.
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
  Ops behind, before; ///< what depends on members, and what they depend on, without the members
};

} // namespace weft

#endif // WEFT_PASSES_FUSED_TOGETHER_H
