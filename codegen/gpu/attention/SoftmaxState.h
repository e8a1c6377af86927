// What goes along while queries go through their keys (Milakov, Gimelshein, arXiv:1805.02867).
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SOFTMAXSTATE_H
#define WEFT_CODEGEN_GPU_ATTENTION_SOFTMAXSTATE_H

#include "codegen/emit/Loops.h"

namespace weft::gpu {

/// The sums of values; of each of a thread's rows the highest score, and the sum of weights.
struct SoftmaxState {
  emit::Values sums, highest, total;

  emit::Values packed() const {
    emit::Values all(sums);
    llvm::append_range(all, highest);
    llvm::append_range(all, total);
    return all;
  }
  /// Of so many rows.
  static SoftmaxState of(llvm::ArrayRef<llvm::Value *> all, size_t rows) {
    size_t sums = all.size() - 2 * rows;
    return {emit::Values(all.take_front(sums)), emit::Values(all.slice(sums, rows)),
            emit::Values(all.take_back(rows))};
  }
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SOFTMAXSTATE_H
