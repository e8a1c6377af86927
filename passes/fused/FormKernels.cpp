// Every op that no fusion has taken becomes a kernel of its own: op  ==>  kernel.fused { op }
//
// Last pass of the stage. What does not move data (views) or is free (constants, positions) stays outside.
#include "passes/Passes.h"
#include "passes/fused/Outline.h"
#include "passes/kernel/Places.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;

/// Depends on positions and sizes alone, so it is computed in f64.
bool isTable(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Operation *def = operand.getDefiningOp();
    return def && !isa<model::RandomOp>(def) &&
           (isFree(def) || (isa<kernel::FusedOp>(def) &&
                            cast<kernel::FusedOp>(def).getFamily() == Family::table));
  });
}

Family familyOf(Operation *op) {
  if (isa<model::ContractOp>(op))
    return Family::contraction;
  if (isa<model::AttentionOp>(op))
    return Family::attention;
  if (isa<model::AttentionGradOp>(op))
    return Family::attention_grad;
  if (isa<model::ScatterOp>(op))
    return Family::scatter;
  return isTable(op) && !isa<model::RandomOp>(op) ? Family::table : Family::rows;
}

struct FormKernels : impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    SmallVector<Operation *> loose;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<kernel::FusedOp>(op))
        return WalkResult::skip();
      if (isa<model::ModelDialect>(op->getDialect()) && !isFree(op) && op->getNumResults() &&
          !isa<model::RepeatOp, model::ParamOp>(op) && !(isView(op) && !viewsFree(op)))
        loose.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : loose)
      outline({op}, familyOf(op), labelOf(op));
  }

  /// A view of a free value has nothing to look at: it must be computed.
  static bool viewsFree(Operation *op) {
    Operation *def = op->getOperand(0).getDefiningOp();
    return def && isFree(def);
  }
};
} // namespace
} // namespace weft
