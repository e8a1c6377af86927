// Scores of a query and a block of keys become weights, relative to the highest score so far.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_ROWSOFTMAX_H
#define WEFT_CODEGEN_CPU_ATTENTION_ROWSOFTMAX_H

#include "codegen/cpu/attention/ScoreTile.h"

namespace weft::cpu {

/// Of queries, after some of the keys: the weighted sums of values [row][value], and for every row
/// the highest score and the sum of weights.
struct SoftmaxState {
  llvm::Value *sums, *maxima, *weights;
};

/// `rows` rows of a state of no keys.
void clearState(llvm::IRBuilderBase &builder, const SoftmaxState &state, llvm::Value *rows,
                llvm::Value *valueStride);
/// What the sums of a row are multiplied by to be the mean of values, and, of its scores, the
/// logsumexp.
llvm::Value *factorOfSums(llvm::IRBuilderBase &builder, const SoftmaxState &state,
                          llvm::Value *row);
llvm::Value *logSumExp(llvm::IRBuilderBase &builder, const SoftmaxState &state, llvm::Value *row);

/// Adds row `row` of a state of other keys, `part`, to that of `state`, whose maximum is that of
/// both already.
void addState(llvm::IRBuilderBase &builder, const SoftmaxState &state, const SoftmaxState &part,
              llvm::Value *row, llvm::Value *valueStride);

struct RowSoftmax {
  llvm::IRBuilderBase &b;
  ScoreTile &scores;
  SoftmaxState state;
  llvm::Value *valueStride; // of the sums
  /// Weights are stored as bfloat16, from where the line begins; their sum is of what they were.
  bool narrow = false;

  /// Row `i` of the tile, `row` of the task: its products become the weights that values are summed
  /// by, and the sums so far are rescaled to the new maximum.
  void emit(llvm::Value *row, llvm::Value *i, const ScoreTile::Part &part);

private:
  llvm::Value *maximumOf(llvm::Value *i, const ScoreTile::Part &part);
  /// Weights of the line, dropped ones too: their sum.
  llvm::Value *weigh(llvm::Value *i, const ScoreTile::Part &part, llvm::Value *shift);
  void rescale(llvm::Value *row, llvm::Value *factor);
  llvm::Value *at(llvm::Value *base, llvm::Value *index) const;
  llvm::Type *lineType() const;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_ROWSOFTMAX_H
