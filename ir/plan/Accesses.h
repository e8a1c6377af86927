// Reads and writes of the buffers of an entry, in program order.
#ifndef WEFT_IR_PLAN_ACCESSES_H
#define WEFT_IR_PLAN_ACCESSES_H

#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"

namespace weft::plan {

/// What a launch runs.
kernel::FusedOp fusedOf(LaunchOp launch);

/// The op that says which memory `buffer` lies in (`plan.slot`, `plan.input`, …). `step` is given
/// the offsets on the way there, the last one first.
mlir::Operation *
baseOf(mlir::Value buffer, llvm::function_ref<void(OffsetOp)> step = [](OffsetOp) {});

/// One access to a buffer by a launch, a copy, or a `plan.leave`, which reads.
struct Access {
  mlir::Operation *op;
  mlir::Operation *base; ///< baseOf
  /// The loops whose passes each have a piece of it.
  llvm::SmallVector<LoopOp, 2> pieces;
  bool writes;
};

/// In program order, a loop's body once; what an op reads comes before what it writes.
std::vector<Access> accessesOf(mlir::Block &block);

} // namespace weft::plan

#endif // WEFT_IR_PLAN_ACCESSES_H
