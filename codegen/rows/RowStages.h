// The stages of a row: what is reduced, kept and stored, in which loops. How the lanes of a row are
// run, a machine says.
#ifndef WEFT_CODEGEN_ROWS_ROWSTAGES_H
#define WEFT_CODEGEN_ROWS_ROWSTAGES_H

#include "codegen/rows/RowNest.h"
#include "codegen/rows/RowReduction.h"

namespace weft::rows {

/// Numbers of a machine.
struct LaneCounts {
  unsigned vector;     ///< lanes of one value in the code
  unsigned blocks;     ///< vectors, or scalars, that are computed at a time
  unsigned stored = 1; ///< of these, how many are computed before the first of them is stored
  unsigned sums = 0;   ///< that a reduction over lanes has at a time; 0: as many as blocks
};

class RowStages {
public:
  RowStages(const RowProgram &program, Frame frame, Numbers numbers, LaneCounts lanes);
  virtual ~RowStages() = default;

protected:
  using Frames = llvm::ArrayRef<RowFrame>;
  using OnLanes = llvm::function_ref<void(Frames)>;

  /// Runs `body` on all lanes from `low` to `high`, on some at a time: frames of onLanes().
  virtual void alongLanes(const RowFrame &frame, llvm::Value *low, llvm::Value *high,
                          OnLanes body) = 0;
  /// Loops over what is summed.
  virtual void overTerms(llvm::ArrayRef<DimAttr> dims, Frames frames, OnLanes body) {
    loops.over(dims, frames, body);
  }
  /// A sum of each lane, as whoever has the lane sees it.
  virtual llvm::Value *ofLanes(Accumulator &sum, unsigned block) { return sum.block(block); }
  /// i1: whether what has lanes, and is made of sums, is stored by what runs here.
  virtual llvm::Value *storesLanes() { return builder.getTrue(); }
  /// A sum over lanes, as everything that runs lanes sees it.
  virtual llvm::Value *total(Accumulator &sum) { return sum.total(); }
  /// i1: whether what has no lanes is stored by what runs here. Everything that runs lanes computes
  /// it.
  virtual llvm::Value *storesOnce() { return builder.getTrue(); }
  /// What lies in cells is there for everything that runs lanes of the row.
  virtual void settleCells() {}

  /// The row at `frame`; where lanes are outer, its lanes from `lane0` to `lane1`.
  void emitRow(const RowFrame &frame, llvm::Value *lane0, llvm::Value *lane1);
  /// The lanes at `index`: the last dimension runs through all of them, for they are contiguous.
  /// Of the `slot` of cells where lanes are outer.
  RowFrame onLanes(RowFrame frame, llvm::Value *index, llvm::Value *slot);
  /// The same of a place that is known.
  RowFrame onLanes(RowFrame frame, const Place *place, llvm::Value *slot);

  /// A condition as a loop, for that is a scope.
  void ifSo(llvm::Value *condition, llvm::function_ref<void()> body);

  const RowProgram &program;
  llvm::IRBuilderBase &builder;
  LaneCounts lanes;
  RowContext context;
  Scopes scopes;
  RowEvaluator evaluator;
  RowNest loops;

private:
  void allLanes(const RowFrame &frame, OnLanes body);
  Reduction reductionOf(mlir::Operation *op, const RowStage &stage);
  void emitStages(bool withLanes, Frames frames);
  void emitStage(const RowStage &stage, Frames frames);
  void reduce(const RowStage &stage, Frames kept);
  void emitPoints(const RowStage &stage, unsigned block, Frames frames,
                  llvm::MutableArrayRef<Accumulator> sums);
  void addUp(const RowStage &stage, unsigned block, const RowFrame &frame,
             llvm::MutableArrayRef<Accumulator> sums);
  void finish(mlir::Operation *op, llvm::Value *value, const RowFrame &frame);
  void clear(mlir::Operation *op, Frames frames);
  llvm::Value *isFirst(unsigned result, const RowFrame &frame);
};

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWSTAGES_H
