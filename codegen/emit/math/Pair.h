// A number as the sum of two floats, for what needs more digits than one holds (Dekker 1971).
#ifndef WEFT_CODEGEN_EMIT_MATH_PAIR_H
#define WEFT_CODEGEN_EMIT_MATH_PAIR_H

#include "codegen/emit/math/Parts.h"

namespace weft::emit::math {

struct Pair {
  llvm::Value *high, *low; ///< |low| is at most half a unit in the last place of high
};

/// a + b, exactly, if a is 0 or its exponent at least that of b.
inline Pair sum(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b) {
  llvm::Value *high = builder.CreateFAdd(a, b);
  return {high, builder.CreateFAdd(builder.CreateFSub(a, high), b)};
}

/// a b, exactly.
inline Pair product(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b) {
  llvm::Value *high = builder.CreateFMul(a, b);
  return {high, fma(builder, a, b, builder.CreateFNeg(high))};
}

/// a b; relative error 2^-102.
inline Pair product(llvm::IRBuilderBase &builder, Pair a, Pair b) {
  Pair exact = product(builder, a.high, b.high);
  llvm::Value *cross = fma(builder, a.high, b.low, builder.CreateFMul(a.low, b.high));
  return sum(builder, exact.high, builder.CreateFAdd(exact.low, cross));
}

/// a / b; relative error 2^-102.
inline Pair quotient(llvm::IRBuilderBase &builder, Pair a, Pair b) {
  llvm::Value *high = builder.CreateFDiv(a.high, b.high), *less = builder.CreateFNeg(high);
  llvm::Value *rest = builder.CreateFAdd(fma(builder, less, b.high, a.high), a.low);
  return {high, builder.CreateFDiv(fma(builder, less, b.low, rest), b.high)};
}

} // namespace weft::emit::math

#endif // WEFT_CODEGEN_EMIT_MATH_PAIR_H
