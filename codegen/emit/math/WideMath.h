// Float64 functions as LLVM IR, on a scalar or a vector of any number of lanes. Tables are computed
// with them on every machine: a GPU has no C library.
#ifndef WEFT_CODEGEN_EMIT_MATH_WIDEMATH_H
#define WEFT_CODEGEN_EMIT_MATH_WIDEMATH_H

#include "llvm/IR/IRBuilder.h"

namespace weft::emit::math::wide {

// Every function takes and gives `double` or `<L x double>`, without a branch. Relative error is
// at most 1.7e-16, three quarters of a unit in the last place, so that what is rounded to f32 is
// the nearest f32 but for ties. NaN gives NaN, infinities and zeros the limit of the function, -0
// included.

llvm::Value *exp(llvm::IRBuilderBase &builder, llvm::Value *x);
/// -inf at 0, NaN below.
llvm::Value *log(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *tanh(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *erf(llvm::IRBuilderBase &builder, llvm::Value *x);
/// Of every finite x.
llvm::Value *sin(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *cos(llvm::IRBuilderBase &builder, llvm::Value *x);
/// x^y with C's rules for signs, zeros and infinities; where that is a double, it is exact.
llvm::Value *pow(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::Value *y);

} // namespace weft::emit::math::wide

#endif // WEFT_CODEGEN_EMIT_MATH_WIDEMATH_H
