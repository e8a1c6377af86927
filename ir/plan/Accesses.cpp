// Reads and writes of the buffers of an entry.
#include "ir/plan/Accesses.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

kernel::FusedOp plan::fusedOf(LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  return cast<kernel::FusedOp>(kernel.getBody().front().front());
}

Operation *plan::baseOf(Value buffer, llvm::function_ref<void(OffsetOp)> step) {
  while (isa_and_nonnull<OffsetOp, ReuseOp>(buffer.getDefiningOp())) {
    if (auto offset = buffer.getDefiningOp<OffsetOp>())
      step(offset);
    buffer = buffer.getDefiningOp()->getOperand(0);
  }
  return buffer.getDefiningOp();
}

static Access accessTo(Value buffer, Operation *op, bool writes) {
  Access access{op, nullptr, {}, writes};
  access.base = baseOf(buffer, [&](OffsetOp offset) {
    if (Value pass = offset.getPass())
      access.pieces.push_back(cast<LoopOp>(pass.getParentBlock()->getParentOp()));
  });
  return access;
}

static void visit(Operation &op, std::vector<Access> &accesses) {
  if (auto loop = dyn_cast<LoopOp>(op)) {
    for (Operation &inner : loop.getBody().front())
      visit(inner, accesses);
  } else if (auto copy = dyn_cast<CopyOp>(op)) {
    accesses.push_back(accessTo(copy.getFrom(), &op, false));
    accesses.push_back(accessTo(copy.getTo(), &op, true));
  } else if (auto leave = dyn_cast<LeaveOp>(op)) {
    for (Value buffer : leave.getBuffers())
      accesses.push_back(accessTo(buffer, &op, false));
  } else if (auto launch = dyn_cast<LaunchOp>(op)) {
    kernel::FusedOp fused = fusedOf(launch);
    unsigned reads = fused.getNumOperands(), all = reads + fused.getNumResults();
    for (auto [i, buffer] : llvm::enumerate(launch.getBuffers().take_front(all)))
      accesses.push_back(accessTo(buffer, &op, i >= reads));
  }
}

std::vector<Access> plan::accessesOf(Block &block) {
  std::vector<Access> accesses;
  for (Operation &op : block)
    visit(op, accesses);
  return accesses;
}
