// What an attention kernel or its gradient computes, read from its region.
#ifndef WEFT_IR_KERNEL_ATTENTIONFORM_H
#define WEFT_IR_KERNEL_ATTENTIONFORM_H

#include "ir/kernel/Walk.h"

namespace weft::kernel {

/// The dimensions of an attention by the part they play, and where its values are. Operands and
/// results are numbers of buffers: operands first, then results.
struct AttentionForm {

  /// Queries that share keys and values are `rows`; other dimensions of the scores are `batch`.
  /// Those that the mask depends on come first, so that neighbours see the same keys.
  DimList batch, rows, keys;
  DimList depth;  // contracted between q and k
  DimList values; // v's own
  /// `batch` is both: what q, k and v all have, then what is summed over in some gradient.
  DimList shared, summed;

  unsigned q = 0, k = 0, v = 0;
  mlir::Value mask; // may be null
  double scale = 1;

  // Of an attention: what is yielded. Of a gradient: its operands, and what is yielded.
  llvm::SmallVector<unsigned> output, lse;
  unsigned gradient = 0;
  llvm::SmallVector<unsigned> dq, dk, dv;

  /// Scores: queries times keys.
  Axes scores() const { return {batch, rows, keys}; }
};

/// Diagnostics on `op` where it is neither.
mlir::FailureOr<AttentionForm> readAttention(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_ATTENTIONFORM_H
