// Scores of attention that its gradient computes again.
#ifndef WEFT_IR_KERNEL_STORAGE_SCOREDTWICE_H
#define WEFT_IR_KERNEL_STORAGE_SCOREDTWICE_H

#include "ir/kernel/storage/SharedStorage.h"

namespace weft::kernel {

/// An attention, and a gradient that reads the logsumexp it left. Weights of the gradient are
/// e^(score - logsumexp), which are a softmax only if both compute the same scores.
struct ScoredTwice {
  FusedOp attention, gradient;
  /// Numbers of the operands that scores are made of (queries, keys, a bias), of one and the other.
  llvm::SmallVector<std::pair<unsigned, unsigned>> operands;
};

/// All of a module whose kernels have their bodies; layouts are not looked at.
llvm::SmallVector<ScoredTwice> scoredTwice(mlir::ModuleOp module, const Places &places,
                                           const SharedStorage &shared);
/// The first operand of the gradient that is stored otherwise than that of the attention; both have
/// layouts.
std::optional<unsigned> storedOtherwise(ScoredTwice scores);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_STORAGE_SCOREDTWICE_H
