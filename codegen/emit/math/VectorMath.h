// Float32 functions as LLVM IR: branch-free polynomials, on a scalar or a vector of any number of
// lanes.
#ifndef WEFT_CODEGEN_EMIT_MATH_VECTORMATH_H
#define WEFT_CODEGEN_EMIT_MATH_VECTORMATH_H

#include "llvm/IR/IRBuilder.h"

namespace weft::emit::math {

// Every function takes and gives `float` or `<L x float>`. Relative error is at most 2e-7 (about 3
// units in the last place of the result) where nothing else is said; NaN gives NaN, infinities and
// zeros the limit of the function. Results of exp and pow below 2^-126 may be 0, of exp2 below
// 2^-125.

/// e^x; exactly 1 at 0, 0 at -inf.
llvm::Value *exp(llvm::IRBuilderBase &builder, llvm::Value *x);
/// 2^x; exact where x is whole.
llvm::Value *exp2(llvm::IRBuilderBase &builder, llvm::Value *x);
/// Natural logarithm: -inf at 0, NaN below; denormal arguments count as 0.
llvm::Value *log(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *tanh(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *erf(llvm::IRBuilderBase &builder, llvm::Value *x);
/// Sine and cosine: absolute error at most 1e-7 for every finite x.
llvm::Value *sin(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *cos(llvm::IRBuilderBase &builder, llvm::Value *x);
/// x^y with C's rules for signs, zeros and infinities.
llvm::Value *pow(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::Value *y);
/// x^n by repeated multiplication; n = 0 gives 1.
llvm::Value *power(llvm::IRBuilderBase &builder, llvm::Value *x, int64_t n);
/// Correctly rounded.
llvm::Value *sqrt(llvm::IRBuilderBase &builder, llvm::Value *x);
/// 1 / sqrt(x), both correctly rounded: within 1 unit in the last place.
llvm::Value *rsqrt(llvm::IRBuilderBase &builder, llvm::Value *x);

/// The code of a function of one float.
struct Function {
  llvm::StringRef name; ///< as in ir/model/FloatFunctions.h
  using Code = llvm::Value *(*)(llvm::IRBuilderBase &, llvm::Value *);
  Code narrow; ///< of `float` or `<L x float>`
  Code wide;   ///< of `double` or `<L x double>`
};
const Function &function(llvm::StringRef name);

/// The larger or the smaller of two floats; NaN passes.
llvm::Value *maximum(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b);
llvm::Value *minimum(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b);

/// The sum of a vector's lanes, in any order; the largest of them, if none is NaN.
llvm::Value *sumOfLanes(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *maximumOfLanes(llvm::IRBuilderBase &builder, llvm::Value *x);

} // namespace weft::emit::math

#endif // WEFT_CODEGEN_EMIT_MATH_VECTORMATH_H
