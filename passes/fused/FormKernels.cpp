// Groups of ops become kernels, and every op that no fusion has taken one of its own: op, op  ==>
// kernel.fused { op op }
//
// Last pass of the stage. What does not move data (views) or is free (constants, positions) stays
// outside.
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/kernel/Places.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;

/// Depends on positions and sizes alone, so it is computed in f64. `inside` are ops of the same
/// kernel.
bool isTable(ArrayRef<Operation *> ops) {
  return llvm::all_of(ops, [&](Operation *op) {
    return !isa<model::RandomOp>(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      auto fused = dyn_cast_or_null<kernel::FusedOp>(def);
      return def && (isFree(def) || llvm::is_contained(ops, def) ||
                     (fused && fused.getFamily() == Family::table));
    });
  });
}

/// Single numbers that follow from single numbers, which cost nothing in f64 either.
bool isNumbers(ArrayRef<Operation *> ops) {
  auto isNumber = [](Value value) { return model::typeOf(value).getDims().empty(); };
  return llvm::all_of(ops, [&](Operation *op) {
    return !isa<model::RandomOp>(op) && llvm::all_of(op->getOperands(), isNumber) &&
           llvm::all_of(op->getResults(), isNumber);
  });
}

Family familyOf(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    if (isa<model::ContractOp>(op))
      return Family::contraction;
    if (isa<model::AttentionOp>(op))
      return Family::attention;
    if (isa<model::AttentionGradOp>(op))
      return Family::attention_grad;
    if (isa<model::ScatterOp>(op))
      return Family::scatter;
  }
  return isTable(ops) || isNumbers(ops) ? Family::table : Family::rows;
}

struct FormKernels : impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) {
      Groups groups(block);
      for (Operation &op : block)
        if (groups.isLoose(&op) || isComputedView(&op))
          groups.form({&op});
      groups.gather();
      for (int64_t number : groups.numbers()) {
        SmallVector<Operation *> ops(groups.members(number).getArrayRef());
        llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
        for (Operation *op : ops)
          op->removeAttr("weft.group");
        outline(ops, familyOf(ops), labelOf(ops));
      }
    });
  }

  /// A view of a free value has nothing to look at: it must be computed.
  static bool isComputedView(Operation *op) {
    Operation *def = isView(op) ? op->getOperand(0).getDefiningOp() : nullptr;
    return def && isFree(def);
  }
};
} // namespace
} // namespace weft
