// attention(q, k, v, mask(…), bias(…), keep(…))  ==>  one kernel that computes these as it goes
//
// First of the fusions, so that no other one takes them: a mask that is computed from positions
// and sizes is copied into the kernel, which can then skip whole blocks; one that is data is read.
// So is a bias as far as it is cheap, and random numbers are drawn where they are used. A mask that
// keeps everything is none.
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/model/DeadOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEATTENTION
#include "passes/Passes.h.inc"

namespace {
/// Whole numbers and switches over positions and lengths are cheap enough to be computed again in
/// every kernel that needs them, by whatever dimensions they were widened; what they read from
/// memory stays an operand.
bool isPredicate(Operation *op) {
  return op->getNumResults() == 1 &&
         (op->hasTrait<OpTrait::Elementwise>() || isa<model::BroadcastOp>(op)) &&
         !model::typeOf(op->getResult(0)).isFloat();
}

/// Dropout draws again in the kernel: the numbers hang on the loops around it, and on nothing else.
bool isDraw(Operation *op, Operation *user) {
  return isPredicate(op) || (isa<model::RandomOp>(op) && op->getBlock() == user->getBlock());
}

/// Of a bias, what would have to lie in memory for each pair of a query and a key. What it is
/// computed from for each query, key or head alone is smaller, and stays an operand.
bool isOfPairs(Operation *op, Value q, Value k) {
  if (isPredicate(op))
    return true;
  if (op->getNumResults() != 1 || !op->hasTrait<OpTrait::Elementwise>() ||
      op->hasTrait<model::Heavy>())
    return false;
  ArrayRef<model::DimAttr> dims = model::dimsOf(op->getResult(0));
  auto hasOwn = [&](Value one, Value other) {
    return llvm::any_of(dims, [&](model::DimAttr dim) {
      return model::hasDim(one, dim) && !model::hasDim(other, dim);
    });
  };
  return hasOwn(q, k) && hasOwn(k, q);
}

/// Clones ops behind `use` that `isCheap` holds for in front of its user; returns the clones, in
/// order.
SmallVector<Operation *> cloneFor(OpOperand &use, llvm::function_ref<bool(Operation *)> isCheap) {
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 8> seen;
  std::function<void(Value)> collect = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isCheap(op) || !seen.insert(op).second)
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

/// Whether a mask is `true` wherever it is looked at, as that of `attend` where none is given.
bool keepsAll(Value mask) {
  while (auto wider = mask.getDefiningOp<model::BroadcastOp>())
    mask = wider.getInput();
  BoolAttr value;
  return matchPattern(mask, m_Constant(&value)) && value.getValue();
}

/// What is fused into the kernel of an attention, or of its gradient, and it.
template <typename Op> SmallVector<Operation *> membersOf(Op op) {
  SmallVector<Operation *> members;
  if (Value mask = op.getMask(); mask && keepsAll(mask))
    op.getMaskMutable().clear();
  auto take = [&](MutableOperandRange value, llvm::function_ref<bool(Operation *)> isCheap) {
    for (OpOperand &use : value)
      llvm::append_range(members, cloneFor(use, isCheap));
  };
  take(op.getMaskMutable(), isPredicate);
  take(op.getBiasMutable(), [&](Operation *each) { return isOfPairs(each, op.getQ(), op.getK()); });
  take(op.getKeepMutable(), [&](Operation *each) { return isDraw(each, op); });
  members.push_back(op.getOperation());
  return members;
}

struct FuseAttention : impl::FuseAttentionBase<FuseAttention> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) {
      Groups groups(block);
      for (Operation &op : block) { // only ops before it are erased
        if (auto attention = dyn_cast<model::AttentionOp>(op))
          groups.form(membersOf(attention));
        else if (auto gradient = dyn_cast<model::AttentionGradOp>(op))
          groups.form(membersOf(gradient));
      }
    });
    eraseDead(getOperation()); // what nothing else uses
  }
};
} // namespace
} // namespace weft
