// What a rows kernel computes, in which order: the outer dimensions that are divided among tasks,
// the one that vector lanes lie along, and the passes over the inside of a row.
#ifndef WEFT_IR_KERNEL_ROWPROGRAM_H
#define WEFT_IR_KERNEL_ROWPROGRAM_H

#include "ir/kernel/DimTable.h"
#include "ir/kernel/Kernel.h"
#include "ir/model/infer/Align.h"

#include "llvm/ADT/MapVector.h"

namespace weft::kernel {
using model::dimsOf;

/// Whether `op` computes each element from those at the same position: the ops with the Elementwise
/// trait, constant, extent, broadcast and arrange.
bool isElementwise(mlir::Operation *op);
/// Whether `op` makes one element of many, and is no idiom.
bool isReduction(mlir::Operation *op);
/// The dimensions that `op` reduces over; empty if it is no reduction.
DimList reducedBy(mlir::Operation *op);

/// Loops inside a row, and what is computed at each of their positions. `reductions` accumulate in
/// registers over the loops `over`; those in `spread` keep dimensions that run inside the ones they
/// reduce, so they accumulate in scratch. With `lanesKept` the lanes run outside of `over`.
struct RowStage {
  unsigned pass = 0;
  /// Stages run by pass, and within one in the order of their numbers.
  unsigned number = 0;
  /// Loops in order, outermost first, without the lanes.
  DimList kept, over;
  /// Whether the lanes run innermost. If the lanes are outer, they are everywhere.
  bool lanes = false, lanesKept = false;
  llvm::SmallVector<mlir::Operation *> reductions, spread;
  /// Numbers of the results that are stored.
  llvm::SmallVector<unsigned> stores;
};

struct RowProgram {
  FusedOp op;
  /// What is stored, by number of the result.
  llvm::SmallVector<mlir::Value> yielded;
  /// Every dimension that has a loop, in memory order.
  DimList loops;
  /// The dimensions whose positions are independent; without the lanes.
  DimList outer;
  /// The dimensions that lie along the lanes, collapsed into one, outermost first; none in a kernel
  /// of scalars.
  DimList lanes;
  /// Whether positions along the lanes are independent too: maps, and reductions along other
  /// dimensions (columns).
  bool lanesOuter = false;
  /// In the order in which they run.
  std::vector<RowStage> stages;
  /// The number of passes that must be over before a value can be computed.
  llvm::DenseMap<mlir::Value, unsigned> pass;
  /// Values that cost much and are needed in several passes: the first of them writes the value to
  /// scratch.
  llvm::MapVector<mlir::Value, unsigned> cached;
  /// How many functions that cost much (the trait Heavy: exp, log, …) the kernel computes.
  unsigned heavy = 0;

  bool hasLanes(mlir::Value value) const;
  /// The outer dimensions that `value` lacks.
  DimList outerWithout(mlir::Value value) const;
  /// The dimensions of `value` that run inside a row, in memory order, the lanes last.
  DimList inside(mlir::Value value) const;
  /// Whether a reduction's result has dimensions inside a row, and so lies in scratch.
  bool inMemory(mlir::Operation *reduction) const {
    return !inside(reduction->getResult(0)).empty();
  }
};

/// A diagnostic where an operand or a result is packed.
mlir::LogicalResult checkStrided(FusedOp op);
/// Analyses `op`, whose idioms are expanded. Fails with a diagnostic where a rows kernel cannot
/// compute an op. Lanes that may not be outer run innermost, also where each is a sum of its own.
mlir::FailureOr<RowProgram> analyseRows(FusedOp op, const DimTable &table,
                                        bool lanesMayBeOuter = true);

/// What the lanes are chosen from.
struct LaneChoice {
  FusedOp op;
  const DimTable &table;
  llvm::ArrayRef<DimAttr> loops, outer;
  /// What has loops of its own: the reductions, and the values that are stored.
  llvm::ArrayRef<mlir::Operation *> reductions;
};
/// The dimension along which most elements are contiguous, with those before it that collapse with
/// it in every operand and result.
DimList chooseLanes(const LaneChoice &choice);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_ROWPROGRAM_H
