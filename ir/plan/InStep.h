// Launches that go behind another one, task by task.
#ifndef WEFT_IR_PLAN_INSTEP_H
#define WEFT_IR_PLAN_INSTEP_H

#include "ir/plan/Plan.h"

namespace weft::plan {

/// A launch `in_step`, and the loop around it, or null.
struct InStep {
  LaunchOp launch;
  LoopOp loop;
};

/// The launch of a loop that has one and no other op than such as say where its buffers are.
inline LaunchOp onlyLaunchIn(LoopOp loop) {
  LaunchOp found;
  for (mlir::Operation &op : loop.getBody().front()) {
    if (isa<OffsetOp>(op))
      continue;
    if (found || !isa<LaunchOp>(op))
      return LaunchOp();
    found = cast<LaunchOp>(op);
  }
  return found;
}

/// What goes behind `leader` task by task: the launches in step that follow it in its block, each
/// alone or alone in a loop.
inline llvm::SmallVector<InStep> inStepBehind(LaunchOp leader) {
  llvm::SmallVector<InStep> found;
  for (mlir::Operation *op = leader->getNextNode(); op; op = op->getNextNode()) {
    LoopOp loop = dyn_cast<LoopOp>(op);
    LaunchOp launch = dyn_cast<LaunchOp>(op);
    if (loop)
      launch = onlyLaunchIn(loop);
    if (!launch || !launch.getInStep())
      break;
    found.push_back({launch, loop});
  }
  return found;
}

/// A buffer as a memory, and what is added to its address for each pass of the loop.
struct Piece {
  mlir::Value base;
  std::optional<Size> bytes;
};

/// What a pass adds, 0 without a loop; nothing where that is not known.
inline std::optional<int64_t> bytesOfPass(const Piece &piece) {
  return piece.bytes ? piece.bytes->constant() : std::optional<int64_t>(0);
}

/// Nothing where it is another piece of memory.
inline std::optional<Piece> pieceOf(mlir::Value buffer, LoopOp loop) {
  auto offset = buffer.getDefiningOp<OffsetOp>();
  if (!offset)
    return Piece{buffer, std::nullopt};
  if (!loop || offset.getPass() != loop.getBody().getArgument(0) ||
      offset.getBuffer().getDefiningOp<OffsetOp>())
    return std::nullopt;
  return Piece{offset.getBuffer(), offset.getBytes().getValue()};
}

} // namespace weft::plan

#endif // WEFT_IR_PLAN_INSTEP_H
