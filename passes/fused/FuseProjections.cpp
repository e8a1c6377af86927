// contract(x, a), contract(x, b), …  ==>  one kernel that reads x once
//
// Query, key and value; gate and up; the gradients of several weights. The left side is the operand
// they share.
#include "passes/Passes.h"
#include "passes/fused/Groups.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEPROJECTIONS
#include "passes/Passes.h.inc"

namespace {
using model::ContractOp;

/// The dimensions of the shared side that reach the result, and those that are summed, must be the
/// same.
bool isAlike(ContractOp a, ContractOp b, Value shared) {
  if (a.getOver() != b.getOver() || a.getLhs() == a.getRhs() || b.getLhs() == b.getRhs())
    return false;
  auto other = [&](ContractOp op) { return op.getLhs() == shared ? op.getRhs() : op.getLhs(); };
  // A dimension that both sides have and that is kept is a batch dimension; those must agree.
  auto batch = [&](ContractOp op) {
    SmallVector<StringAttr> dims;
    for (StringAttr dim : model::typeOf(shared).getDims())
      if (model::typeOf(other(op)).has(dim) && !llvm::is_contained(op.getOver(), dim))
        dims.push_back(dim);
    return dims;
  };
  return batch(a) == batch(b);
}

bool isParameter(Value value) {
  return value.getDefiningOp<model::ParamOp>() != nullptr;
}

struct FuseProjections : impl::FuseProjectionsBase<FuseProjections> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) {
      Groups groups(block);
      for (ContractOp first : block.getOps<ContractOp>()) {
        if (!groups.isLoose(first))
          continue;
        for (Value shared : {first.getLhs(), first.getRhs()}) {
          // A weight that several activations meet is not read once by meeting them together.
          if (isParameter(shared))
            continue;
          SmallVector<Operation *> members{first};
          for (ContractOp next : block.getOps<ContractOp>()) {
            if (next == first || !groups.isLoose(next) ||
                (next.getLhs() != shared && next.getRhs() != shared) ||
                !isAlike(first, next, shared))
              continue;
            Groups::Members together(members.begin(), members.end());
            together.insert(next);
            bool chained = llvm::any_of(next->getOperands(), [&](Value operand) {
              return operand.getDefiningOp() && together.contains(operand.getDefiningOp());
            });
            if (!chained && groups.isLegal(together))
              members.push_back(next);
          }
          if (members.size() > 1) {
            groups.form(members);
            break;
          }
        }
      }
    });
  }
};
} // namespace
} // namespace weft
