// Softmax of scores that lie in registers as sums of products do: the highest score and the sum of
// weights of each row go along (Milakov, Gimelshein, arXiv:1805.02867).
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_SOFTMAX_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_SOFTMAX_H

#include "codegen/gpu/instructions/Mma.h"

namespace weft::gpu {

/// Of the two rows that a lane has pieces of; the total is of its own pieces alone.
struct RowStates {
  std::array<llvm::Value *, 2> highest, total;

  static RowStates none(Builder &builder);
  llvm::SmallVector<llvm::Value *> carried() const;
  static RowStates of(llvm::ArrayRef<llvm::Value *> carried);
};

/// Which of the two rows a register of sums is of.
constexpr unsigned rowOfRegister(unsigned number) {
  return number % 4 / 2;
}
/// The rows in what has as many registers as four of `numbers` are one fragment for.
llvm::SmallVector<LeftFragment> packedRows(Builder &builder, llvm::ArrayRef<llvm::Value *> numbers);
/// What rounding to bf16 took of `numbers`, of which `fragments` are made.
llvm::SmallVector<llvm::Value *> leftBy(Builder &builder, llvm::ArrayRef<llvm::Value *> numbers,
                                        llvm::ArrayRef<LeftFragment> fragments);
class FragmentSoftmax {
public:
  /// Weights are e^(scale * score), scale > 0.
  FragmentSoftmax(Builder &builder, double scale) : builder(builder), scale(scale) {}

  struct Weighed {
    llvm::SmallVector<llvm::Value *> weights; ///< relative to the highest score so far
    std::array<llvm::Value *, 2> factor;      ///< what was summed up before is to be multiplied by
    RowStates states;
  };
  /// Scores that are hidden are -inf.
  Weighed weigh(llvm::ArrayRef<llvm::Value *> scores, const RowStates &before) const;

  struct Ends {
    std::array<llvm::Value *, 2> inverse, logsumexp; ///< of a row that sees nothing: 0, -inf
  };
  Ends finish(const RowStates &states) const;

private:
  /// Over the four lanes that have a row.
  llvm::Value *fold(llvm::Value *value,
                    llvm::function_ref<llvm::Value *(llvm::Value *, llvm::Value *)> combine) const;
  llvm::Value *number(double value) const;

  Builder &builder;
  double scale;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_SOFTMAX_H
