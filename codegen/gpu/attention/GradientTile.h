// What a block of the gradient of attention computes: of its queries through all keys, or of its
// keys through all queries.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GRADIENTTILE_H
#define WEFT_CODEGEN_GPU_ATTENTION_GRADIENTTILE_H

#include "codegen/gpu/attention/GradientGrid.h"
#include "codegen/gpu/attention/RowConstants.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/attention/ThreadTile.h"

namespace weft::gpu {

/// A tile of scores is [own][other] and [depth] is summed; the tile of gradients of weights beside
/// it sums [values]. For both owners it is the same computation with sides exchanged.
class GradientTile {
public:
  /// `cells`: as much shared memory as the schedule says.
  GradientTile(Owner owner, const AttentionBuffers &buffers, Team &team,
               cuda::AttentionGradAttr schedule, llvm::Value *cells);
  /// The gradients of what is owned from `first` (i64) on.
  void emit(llvm::Value *first);

private:
  /// Sums of the thread, row by row: gradients along the depth, and along the values.
  struct State {
    Values depth, values;

    Values packed() const {
      Values all(depth);
      append_range(all, values);
      return all;
    }
  };
  int64_t queryCount() const { return ofQueries() ? ownRows() : columns(); } ///< of a tile
  bool ofQueries() const { return owner == Owner::queries; }
  int64_t ownRows() const { return schedule.getRows(); }
  int64_t columns() const { return schedule.getColumns(); }
  llvm::Value *zero() { return b.getInt64(0); }
  llvm::Value *number(double value) { return llvm::ConstantFP::get(b.getFloatTy(), value); }
  llvm::ArrayRef<DimAttr> ownDims() const { return ofQueries() ? form.rows : form.keys; }
  llvm::ArrayRef<DimAttr> otherDims() const { return ofQueries() ? form.keys : form.rows; }
  llvm::ArrayRef<unsigned> depthResults() const { return ofQueries() ? form.dq : form.dk; }
  llvm::ArrayRef<unsigned> valueResults() const;
  /// The next bytes of what the block shares.
  llvm::Value *take(unsigned bytes);
  StagedSide side(int64_t across, int64_t depth);
  void stage(StagedSide &side, const StagedSide::Matrix &matrix, llvm::Value *first);
  /// Of a thread, for results that have `count` columns.
  size_t sums(llvm::ArrayRef<unsigned> results, int64_t count) const;
  State unpacked(llvm::ArrayRef<llvm::Value *> all) const;
  State throughOthers();
  State add(State state, llvm::Value *other0, const MaskBounds::Verdict &verdict);
  /// Whether the weight of each score of the thread counts: i1, row by row.
  Values kept(llvm::Value *other0, const MaskBounds::Verdict &verdict);
  void putWeights(llvm::Value *other0, const MaskBounds::Verdict &verdict);
  void write(llvm::ArrayRef<unsigned> results, const DimList &along, int64_t count,
             llvm::ArrayRef<llvm::Value *> sums, double factor);

  Owner owner;
  const AttentionBuffers &buffers;
  Frame frame;
  llvm::IRBuilderBase &b;
  const AttentionForm &form;
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
  RowConstants constants;
  llvm::Value *own0 = nullptr;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GRADIENTTILE_H
