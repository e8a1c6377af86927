// What the gradient of attention has to know of a query beside its row: what its weights are
// relative to, and what its gradient and its output give together.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_ROWCONSTANTS_H
#define WEFT_CODEGEN_GPU_ATTENTION_ROWCONSTANTS_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/base/Team.h"

namespace weft::gpu {

/// Of a tile of `count` queries, in memory that the block shares. A weight is exp(score - shift -
/// rest): the logsumexp and 0. Where scores are in the hundreds, a logsumexp has few fractional
/// bits, and weights would be off by a factor, or infinite: then its two terms are computed again
/// and kept apart, the highest score and the logarithm of the sum of exp(score - highest).
class RowConstants {
public:
  RowConstants(const AttentionBuffers &buffers, Team &team, int64_t count, llvm::Value *cells);
  /// From here on: those of another tile.
  void liesAt(llvm::Value *cells) { this->cells = cells; }
  static unsigned bytes(int64_t count) { return unsigned(3 * count * int64_t(sizeof(float))); }

  /// Of the queries from `first` (i64) on; beyond the last one they are 0. The block's threads need
  /// a barrier behind it.
  void read(llvm::Value *first);
  /// Behind that barrier, if what `read` found is too coarse. Has barriers around what it writes.
  /// i1: whether it was; then weights are right of scores that are `score`'s, to the last bit.
  llvm::Value *refine(llvm::Value *first);
  /// The same where others have read the constants, and know (i1, of all threads) whether some are
  /// coarse. The tile's rows are each `step`th one (i64).
  void refine(llvm::Value *first, llvm::Value *step, llvm::Value *coarse);
  /// i1: whether a logsumexp is; -inf, of a row that keeps nothing, is exact.
  static llvm::Value *isCoarse(llvm::IRBuilderBase &builder, llvm::Value *logsumexp);
  /// The scaled product.
  llvm::Value *score(llvm::Value *row, llvm::Value *key) const;

  /// Of a query of the tile: floats.
  llvm::Value *shift(llvm::Value *query) const { return load(0, query); }
  llvm::Value *rest(llvm::Value *query) const { return load(1, query); }
  llvm::Value *product(llvm::Value *query) const {
    return load(2, query);
  } ///< sum(gradient output)

private:
  llvm::Value *number(double value) const;
  llvm::Value *cell(int64_t list, llvm::Value *query) const;
  llvm::Value *load(int64_t list, llvm::Value *query) const;
  void store(int64_t list, llvm::Value *value);
  llvm::Value *anyIsCoarse() const;
  /// Highest score, and the sum of weights relative to it, of both together.
  Values joined(llvm::ArrayRef<llvm::Value *> one, llvm::ArrayRef<llvm::Value *> other) const;
  void findStatistics(llvm::Value *first, llvm::Value *step, ScoreMask &mask);

  const AttentionBuffers &buffers;
  const AttentionForm &form;
  llvm::IRBuilderBase &b;
  Team &team;
  int64_t count, each; ///< queries, and the threads that stand side by side for one
  llvm::Value *cells, *query, *part;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_ROWCONSTANTS_H
