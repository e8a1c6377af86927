// What a block adds up of the gradient of a bias, in registers: one number of each score of its
// tile, or one of each row where the bias is the same along the columns.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_BIASSUMS_H
#define WEFT_CODEGEN_GPU_ATTENTION_BIASSUMS_H

#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/attention/ThreadTile.h"
#include "ir/cuda/attention/GradientOwners.h"

namespace weft::gpu {

class BiasSums {
public:
  /// `cells` [column][row], for nothing else: where threads find what others have added up.
  BiasSums(const cuda::GradientOwner &owner, Team &team, const ThreadTile &thread,
           StagedSide &cells)
      : owner(owner), team(team), thread(thread), cells(cells) {}

  /// Of a thread; none where its block owns no part of a bias.
  size_t count() const;
  /// With a tile's numbers more, one of each score of the thread, row by row.
  Values add(llvm::IRBuilderBase &b, llvm::ArrayRef<llvm::Value *> sums,
             llvm::ArrayRef<llvm::Value *> scores) const;
  /// Stores all of the block's, whose tile begins at `row` and `column`.
  void write(const AttentionBuffers &buffers, llvm::ArrayRef<llvm::Value *> sums, llvm::Value *row,
             llvm::Value *column) const;

private:
  void writeScores(const AttentionBuffers &buffers, llvm::ArrayRef<llvm::Value *> sums,
                   llvm::Value *row0, llvm::Value *column0) const;
  void writeRows(const AttentionBuffers &buffers, llvm::Value *row0) const;
  /// The cells of columns `0 … across - 1` of rows from `row` to before `end`, one after the other.
  llvm::Value *folded(llvm::IRBuilderBase &b, llvm::Value *row, llvm::Value *end) const;

  const cuda::GradientOwner &owner;
  Team &team;
  const ThreadTile &thread;
  StagedSide &cells;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_BIASSUMS_H
