// The softmax of scores that lie in registers as mma.sync leaves them: of a lane two rows, of which
// four lanes that stand side by side have the columns.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_MMASOFTMAX_H
#define WEFT_CODEGEN_GPU_ATTENTION_MMASOFTMAX_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Mma.h"

namespace weft::gpu {

/// Of sixteen queries: the sums of values, and of both rows of a lane the highest score and the sum
/// of weights, of the lane's own keys.
struct SoftmaxState {
  llvm::SmallVector<Sums> sums;
  std::array<llvm::Value *, 2> highest, total;

  emit::Values packed() const;
  static SoftmaxState of(llvm::ArrayRef<llvm::Value *> packed);
};

class MmaSoftmax {
public:
  explicit MmaSoftmax(llvm::IRBuilderBase &builder) : b(builder) {}

  /// Of so many sums that are eight values wide.
  SoftmaxState begin(unsigned sums) const;
  /// Scores become weights, relative to the highest so far, which the state is brought to. Where
  /// there was none, a score is -inf.
  void weigh(SoftmaxState &state, llvm::MutableArrayRef<Sums> scores) const;
  /// Weights of sixteen keys as the left side of a product: rounded to bf16, and what that leaves.
  std::pair<LeftFragment, LeftFragment> lefts(const Sums &first, const Sums &second) const;
  /// Over all keys of a row; each lane gets it.
  llvm::Value *
  amongKeys(llvm::Value *value,
            llvm::function_ref<llvm::Value *(llvm::Value *, llvm::Value *)> combine) const;

private:
  llvm::Value *number(double value) const;
  /// exp of a difference of scores, at most 0.
  llvm::Value *weight(llvm::Value *score, llvm::Value *shift) const;

  llvm::IRBuilderBase &b;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_MMASOFTMAX_H
