// What a block of the gradient of attention computes: of its queries through all keys, of its keys
// through all queries, or of its part of a bias.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GRADIENTTILE_H
#define WEFT_CODEGEN_GPU_ATTENTION_GRADIENTTILE_H

#include "codegen/gpu/attention/BiasSums.h"
#include "codegen/gpu/attention/GradientGrid.h"
#include "codegen/gpu/attention/RowConstants.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/attention/ThreadTile.h"

namespace weft::gpu {

/// A tile of scores is [own][other] and [depth] is summed; the tile of gradients of weights beside
/// it sums [values]. For both owners it is the same computation with sides exchanged. What is
/// summed over positions of the batch stays in registers from one to the next.
class GradientTile {
public:
  /// `at`: where the block begins. `cells`: as much shared memory as the schedule says.
  GradientTile(const cuda::GradientOwner &owner, Frame frame, kernel::FusedOp op,
               const GradientGrid::Place &at, Team &team, cuda::AttentionGradAttr schedule,
               llvm::Value *cells);
  void emit();

private:
  /// Sums of the thread, row by row: gradients along the depth, along the values, and of a bias.
  struct State {
    Values depth, values, bias;

    Values packed() const {
      Values all(depth);
      append_range(all, values);
      append_range(all, bias);
      return all;
    }
  };
  int64_t queryCount() const { return ofQueries() ? ownRows() : columns(); } ///< of a tile
  bool ofQueries() const { return owner.ofQueries; }
  int64_t ownRows() const { return schedule.getRows(); }
  int64_t columns() const { return schedule.getColumns(); }
  llvm::Value *zero() { return b.getInt64(0); }
  llvm::Value *number(double value) { return llvm::ConstantFP::get(b.getFloatTy(), value); }
  llvm::ArrayRef<DimAttr> ownDims() const { return owner.own(); }
  llvm::ArrayRef<DimAttr> otherDims() const { return owner.others(); }
  llvm::ArrayRef<unsigned> depthResults() const { return ofQueries() ? form.dq : form.dk; }
  llvm::ArrayRef<unsigned> valueResults() const;
  /// The next bytes of what the block shares.
  llvm::Value *take(unsigned bytes);
  StagedSide side(int64_t across, int64_t depth);
  void stage(StagedSide &side, const StagedSide::Matrix &matrix, llvm::Value *first);
  /// Of a thread, for results that have `count` columns.
  size_t sums(llvm::ArrayRef<unsigned> results, int64_t count) const;
  State unpacked(llvm::ArrayRef<llvm::Value *> all) const;
  State throughPositions();
  State throughOwn(State state);
  State atOwn(State state);
  void stageOwn();
  State throughOthers(State state);
  State add(State state, llvm::Value *other0, const MaskBounds::Verdict &verdict);
  /// Whether the weight of each score of the thread counts: i1, row by row.
  Values kept(llvm::Value *other0, const MaskBounds::Verdict &verdict);
  /// Returns of each score of the thread what reaches the bias; none if nobody asks.
  Values putWeights(llvm::Value *other0, const MaskBounds::Verdict &verdict);
  void write(llvm::ArrayRef<unsigned> numbers, const DimList &along, int64_t count,
             llvm::ArrayRef<llvm::Value *> sums, double factor);

  const cuda::GradientOwner &owner;
  const GradientGrid::Place at;
  Frame frame;
  llvm::IRBuilderBase &b;
  const AttentionForm &form;
  /// What is read, at one position of the batch; and where results are, at the owner's own.
  AttentionBuffers buffers;
  AttentionForm formOfResults;
  AttentionBuffers results;
  Team &team;
  cuda::AttentionGradAttr schedule;
  int64_t depth, values;
  llvm::Value *cells;
  unsigned taken = 0;
  ScoreMask mask;
  ThreadTile thread;
  // [depth][own], [values][own], [depth][other], [values][other].
  StagedSide ownDepth, ownValues, otherDepth, otherValues;
  StagedSide weights, slopes; // [other][own]; slopes are gradients of scores
  BiasSums bias;
  RowConstants constants;
  llvm::Value *own0 = nullptr;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GRADIENTTILE_H
