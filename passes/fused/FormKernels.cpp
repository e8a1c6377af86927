// Groups of ops become kernels, and every op that no fusion has taken one of its own: op, op  ==>
// kernel.fused { op op }
//
// Last pass of the stage. What does not move data (views) or is free (constants, positions) stays
// outside.
#include "ir/kernel/Places.h"
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/fused/RowShape.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;

Family familyOf(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (std::optional<Family> family = familyFor(op))
      return *family;
  // Kernels of single numbers are tables too: computing these in f64 costs nothing.
  RowKind kind = kindOf(ops, [](Operation *def) {
    auto fused = dyn_cast<kernel::FusedOp>(def);
    return fused && fused.getFamily() == Family::table;
  });
  return kind == RowKind::rows ? Family::rows : Family::table;
}

struct FormKernels : impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) {
      Groups groups(block);
      for (Operation &op : block)
        if (groups.isLoose(&op) || (isComputedView(&op) && !Groups::of(&op)))
          groups.form({&op});
      groups.gather();
      for (int64_t number : groups.numbers()) {
        SmallVector<Operation *> ops(groups.members(number).getArrayRef());
        llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
        for (Operation *op : ops)
          op->removeAttr(kernel::groupName);
        outline(ops, familyOf(ops), labelOf(ops));
      }
    });
  }

  /// A view of a free value (a constant, positions) has no buffer to be a view of: it must be
  /// computed.
  static bool isComputedView(Operation *op) {
    Operation *def = isView(op) ? op->getOperand(0).getDefiningOp() : nullptr;
    return def && isFree(def);
  }
};
} // namespace
} // namespace weft
