// What a row of an attention comes to: what was summed by the sum of its weights, and the
// logsumexp.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SOFTMAXRESULT_H
#define WEFT_CODEGEN_GPU_ATTENTION_SOFTMAXRESULT_H

#include "codegen/emit/math/VectorMath.h"

namespace weft::gpu {

/// Of a row that keeps no key 0 and -inf.
class SoftmaxResult {
public:
  SoftmaxResult(llvm::IRBuilderBase &b, llvm::Value *highest, llvm::Value *total)
      : highest(highest), total(total), empty(b.CreateFCmpOEQ(total, number(b, 0))),
        inverse(b.CreateFDiv(number(b, 1), total)) {}

  llvm::Value *of(llvm::IRBuilderBase &b, llvm::Value *sum) const {
    return b.CreateSelect(empty, number(b, 0), b.CreateFMul(sum, inverse));
  }
  llvm::Value *logsumexp(llvm::IRBuilderBase &b) const {
    llvm::Value *both = b.CreateFAdd(highest, emit::math::log(b, total));
    return b.CreateSelect(empty, number(b, -INFINITY), both);
  }

private:
  static llvm::Value *number(llvm::IRBuilderBase &b, double value) {
    return llvm::ConstantFP::get(b.getFloatTy(), value);
  }
  llvm::Value *highest, *total, *empty, *inverse;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SOFTMAXRESULT_H
