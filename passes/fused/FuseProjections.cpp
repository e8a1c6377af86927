// contract(x, a), contract(x, b), …  ==>  one kernel that reads x once
//
// Query, key and value; gate and up; the gradients of several weights. The left side is the operand
// they share.
#include "passes/Passes.h"
#include "passes/fused/Together.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEPROJECTIONS
#include "passes/Passes.h.inc"

namespace {
using model::ContractOp;

/// One pass over a shared operand serves only products that are summed over the same dimensions.
bool sumsAlike(ContractOp a, ContractOp b) {
  auto sorted = [](ContractOp op) {
    model::DimList over(op.getOver());
    llvm::sort(over,
               [](model::DimAttr a, model::DimAttr b) { return a.getValue() < b.getValue(); });
    return over;
  };
  return sorted(a) == sorted(b);
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
          // A shared weight is no reason: one kernel would read it once for each activation too.
          if (isParameter(shared))
            continue;
          std::optional<Together> members; // made when there is a second op to try
          for (ContractOp next : block.getOps<ContractOp>()) {
            if (next == first || !groups.isLoose(next) ||
                (next.getLhs() != shared && next.getRhs() != shared) || !sumsAlike(first, next))
              continue;
            if (!members)
              members.emplace(groups, first);
            if (!members->couldAdd(next))
              continue;
            Groups::Members all = members->members();
            all.insert(next);
            if (isOneContraction(all))
              members->add(next);
          }
          if (members && members->members().size() > 1) {
            groups.form(members->members().getArrayRef());
            break;
          }
        }
      }
    });
  }
};
} // namespace
} // namespace weft
