// Equal ops become one, which is held to what was demanded of each.
#include "ir/model/demands/Demands.h"
#include "passes/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_CSE
#include "passes/Passes.h.inc"

namespace {
/// MLIR keeps the location of the op that stays: what is demanded of the other would be lost.
struct KeepDemands : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, Operation *by) override {
    by->setLoc(model::heldTo(by->getLoc(), op->getLoc()));
  }
};

struct Cse : impl::CseBase<Cse> {
  void runOnOperation() override {
    KeepDemands listener;
    IRRewriter rewriter(&getContext(), &listener);
    bool changed = false;
    eliminateCommonSubExpressions(rewriter, getAnalysis<DominanceInfo>(), getOperation(), &changed);
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace weft
