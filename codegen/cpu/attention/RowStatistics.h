// What the weights of a row of scores are relative to, recomputed where the logsumexp says too
// little.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_ROWSTATISTICS_H
#define WEFT_CODEGEN_CPU_ATTENTION_ROWSTATISTICS_H

#include "codegen/cpu/attention/ScoreTile.h"

namespace weft::cpu {

/// Of every row the logsumexp times log2(e), as shift + rest. Where scores are in the thousands,
/// the logsumexp has few fractional bits, and weights would be off by a factor, or infinite. Then
/// its two terms are recomputed and kept apart: the highest score (`shifts`), and the logarithm of
/// the sum of exp(score - highest) (`rests`).
struct RowStatistics {
  llvm::IRBuilderBase &b;
  llvm::Value *rows;           // count
  llvm::Value *shifts, *rests; // areas of so many floats

  /// Whether some logsumexp, all of them in `shifts`, says too little.
  llvm::Value *areCoarse() const;
  void clear() const;
  /// Row `i` of a part whose products are computed: they become scores. `rests` are sums until
  /// `finish`.
  void add(ScoreTile &scores, llvm::Value *i, const ScoreTile::Part &part) const;
  void finish() const;

private:
  llvm::Value *number(double value) const;
  llvm::Value *at(llvm::Value *base, llvm::Value *index) const;
  llvm::Value *load(llvm::Value *base, llvm::Value *row) const;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_ROWSTATISTICS_H
