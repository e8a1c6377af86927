// What a block of the gradient of attention computes by matrix instructions: of its queries through
// all keys, or of its keys through all queries.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPGRADIENTTILE_H
#define WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPGRADIENTTILE_H

#include "codegen/gpu/attention/GradientTile.h"
#include "codegen/gpu/attention/warp/Fragments.h"

namespace weft::gpu {

/// As GradientTile is: a tile of scores is [own][other]. A warp has rows of what is owned, and its
/// weights and their gradients stay in its registers.
class WarpGradientTile {
public:
  /// `cells`: as much shared memory as the schedule says.
  WarpGradientTile(Owner owner, const AttentionBuffers &buffers, Team &team,
                   cuda::MmaAttentionGradAttr schedule, llvm::Value *cells,
                   llvm::ArrayRef<unsigned> alignments);
  /// The gradients of what is owned from `first` (i64) on.
  void emit(llvm::Value *first);

private:
  bool ofQueries() const { return owner == Owner::queries; }
  unsigned queryCount() const {
    return unsigned(ofQueries() ? schedule.getRows() : schedule.getColumns()); ///< of a tile
  }
  unsigned columns() const { return unsigned(schedule.getColumns()); }
  llvm::Value *number(double value) const { return llvm::ConstantFP::get(b.getFloatTy(), value); }
  const DimList &ownDims() const { return ofQueries() ? form.rows : form.keys; }
  const DimList &otherDims() const { return ofQueries() ? form.keys : form.rows; }
  llvm::ArrayRef<unsigned> depthResults() const { return ofQueries() ? form.dq : form.dk; }
  llvm::ArrayRef<unsigned> valueResults() const;
  StagedMatrix::Shape shape(const DimList &rows, const DimList &columns, int64_t tile) const;
  llvm::Value *constantCells(llvm::Value *cells) const;

  MaskBounds::Verdict judge(llvm::Value *other0);
  emit::Values throughOthers(llvm::Value *coarse);
  emit::Values add(llvm::ArrayRef<llvm::Value *> sums, llvm::Value *stage, llvm::Value *other0,
                   llvm::Value *coarse);
  /// Where score `number` of the lane stands: the query and the key, and the query in its tile.
  struct Place {
    llvm::Value *query, *key, *inTile;
  };
  Place placeOf(unsigned number, llvm::Value *other0) const;
  /// Whether the weight of each score counts: i1.
  emit::Values kept(llvm::Value *other0);
  /// Scores as the constants of coarse queries are relative to them.
  emit::Values exactScores(llvm::Value *other0);
  void write(llvm::ArrayRef<unsigned> results, const DimList &along, const StagedMatrix &matrix,
             llvm::ArrayRef<llvm::Value *> sums, double factor);

  Owner owner;
  const AttentionBuffers &buffers;
  Frame frame;
  llvm::IRBuilderBase &b;
  const AttentionForm &form;
  Team &team;
  cuda::MmaAttentionGradAttr schedule;
  ScoreMask mask;
  WarpTile tile;
  StagedMatrix ownDepth, ownValues, otherDepth, otherValues;
  llvm::Value *cells; ///< what is owned, then stages, then constants
  RowConstants constants;
  llvm::Value *own0 = nullptr;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPGRADIENTTILE_H
