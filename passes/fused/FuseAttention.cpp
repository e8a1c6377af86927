// attention(q, k, v, mask(…))  ==>  one kernel that computes its mask as it goes
//
// First of the fusions, so that no other one takes the mask: a mask that is computed from positions
// and sizes is copied into the kernel, which can then skip whole blocks; one that is data is read.
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/model/DeadOps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEATTENTION
#include "passes/Passes.h.inc"

namespace {
/// Ops that compute `value` and are cheap enough to be computed again in every kernel that needs
/// them. Whole numbers and switches over positions and lengths; what they read from memory stays an
/// operand.
bool isPredicate(Operation *op) {
  return op && op->getNumResults() == 1 && op->hasTrait<OpTrait::Elementwise>() &&
         !model::typeOf(op->getResult(0)).isFloat();
}

/// Clones the predicate behind `value` in front of `user`; returns the clones, in order.
SmallVector<Operation *> cloneFor(OpOperand &use) {
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 8> seen;
  std::function<void(Value)> collect = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!isPredicate(op) || !seen.insert(op).second)
      return;
    for (Value operand : op->getOperands())
      collect(operand);
    ops.push_back(op);
  };
  collect(use.get());
  OpBuilder builder(use.getOwner());
  IRMapping mapping;
  SmallVector<Operation *> clones;
  for (Operation *op : ops)
    clones.push_back(builder.clone(*op, mapping));
  if (!clones.empty())
    use.set(mapping.lookup(use.get()));
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
  return clones;
}

struct FuseAttention : impl::FuseAttentionBase<FuseAttention> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) {
      Groups groups(block);
      for (Operation &op : block) { // only ops before it are erased
        Value mask;
        if (auto attention = dyn_cast<model::AttentionOp>(op))
          mask = attention.getMask();
        else if (auto gradient = dyn_cast<model::AttentionGradOp>(op))
          mask = gradient.getMask();
        else
          continue;
        SmallVector<Operation *> members;
        if (mask)
          for (OpOperand &operand : op.getOpOperands())
            if (operand.get() == mask)
              members = cloneFor(operand);
        members.push_back(&op);
        groups.form(members);
      }
    });
    eraseDead(getOperation()); // masks that nothing else uses
  }
};
} // namespace
} // namespace weft
