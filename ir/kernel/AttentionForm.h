// What an attention kernel or its gradient computes, read from its region.
#ifndef WEFT_IR_KERNEL_ATTENTIONFORM_H
#define WEFT_IR_KERNEL_ATTENTIONFORM_H

#include "ir/kernel/Walk.h"

namespace weft::kernel {

/// The dimensions of an attention by their role, and its operands and results, as numbers of
/// buffers: operands first, then results. q is [batch][rows][depth], k [batch][keys][depth], v
/// [batch][keys][values]; output = softmax[keys](scale q kᵀ, masked) v is [batch][rows][values],
/// and lse, the logsumexp of the scores, [batch][rows]. A value may lack dimensions along which it
/// is constant.
struct AttentionForm {

  /// Queries that share keys and values are `rows`; other dimensions of the scores are `batch`.
  /// Rows that the mask depends on come first, so that neighbouring rows have the same mask.
  DimList batch, rows, keys;
  DimList depth;  // contracted between q and k
  DimList values; // v's own
  /// `batch` is both: what q, k and v all have, then what is summed over in some gradient.
  DimList shared, summed;

  unsigned q = 0, k = 0, v = 0;
  mlir::Value mask; // may be null
  double scale = 1;
  /// What is added to scores (may be null), before or behind their cap (0: there is none).
  mlir::Value bias;
  double cap = 0;
  bool cappedBias = false;
  /// Which weights count (may be null), and by what these are multiplied.
  mlir::Value keep;
  double keepFactor = 1;
  /// Products read weights and gradients of scores as bf16 (model.attention: `narrow_weights`).
  bool narrowWeights = false;

  // Of an attention: results. Of a gradient: operands (`output`, `lse`, `gradient`, which is that
  // of the output), and results (`dq`, `dk`, `dv`).
  llvm::SmallVector<unsigned> output, lse;
  unsigned gradient = 0;
  llvm::SmallVector<unsigned> dq, dk, dv, dbias;

  /// Whether weights are the softmax of products and nothing else.
  bool isPlain() const { return !bias && cap == 0 && !keep; }
  /// Whether a gradient is added up where it is stored.
  bool addsInMemory() const { return !summed.empty() || !dbias.empty(); }
  /// Scores: queries times keys.
  Axes scores() const { return {batch, rows, keys}; }
};

/// Fails with a diagnostic on `op` where it is neither.
mlir::FailureOr<AttentionForm> readAttention(FusedOp op);
/// Whether all that an attention with layouts, or its gradient, multiplies weights and gradients of
/// scores by is stored as bf16.
bool multipliesNarrow(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_ATTENTIONFORM_H
