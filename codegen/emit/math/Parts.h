// What functions of floats are written with, as LLVM IR: polynomials, bits, exact sums and
// products. Of floats and doubles, scalars and vectors.
#ifndef WEFT_CODEGEN_EMIT_MATH_PARTS_H
#define WEFT_CODEGEN_EMIT_MATH_PARTS_H

#include "llvm/IR/IRBuilder.h"

namespace weft::emit::math {

/// A constant of the type of `like`: scalar or splat.
llvm::Value *constant(llvm::Value *like, double value);

/// The type of `like` with another element.
llvm::Type *withElement(llvm::Type *like, llvm::Type *element);
/// A number's bits, as whole numbers of its width.
llvm::Value *bits(llvm::IRBuilderBase &builder, llvm::Value *x);

/// x y + z, rounded once.
llvm::Value *fma(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::Value *y, llvm::Value *z);
llvm::Value *fma(llvm::IRBuilderBase &builder, llvm::Value *x, double y, llvm::Value *z);
llvm::Value *magnitude(llvm::IRBuilderBase &builder, llvm::Value *x);
/// c[0] + c[1] x + c[2] x² + …
llvm::Value *polynomial(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::ArrayRef<double> c);
/// NaN passes.
llvm::Value *clamp(llvm::IRBuilderBase &builder, llvm::Value *x, double low, double high);

constexpr double magicFloat = 12582912.0, magicDouble = 6755399441055744.0; // 1.5 * 2^23, * 2^52
/// A float rounded to a whole number, and the number plus `magic`, whose low bits are that number
/// as an integer.
struct Rounded {
  llvm::Value *number, *shifted;
};
/// Of `factor` x.
Rounded roundSum(llvm::IRBuilderBase &builder, llvm::Value *x, double factor);

/// The value of x^y where it follows from signs, zeros, ones and infinities (C17 F.10.4.4), else
/// `size`, which is |x|^y, with its sign.
llvm::Value *withSpecialPowers(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::Value *y,
                               llvm::Value *size);

/// 2^n in `type`, of a whole number n as wide, of which the low bits count (as of what Rounded has
/// shifted): 0 and infinity where n is one below and one above what normal numbers have.
llvm::Value *powerOfTwo(llvm::IRBuilderBase &builder, llvm::Value *n, llvm::Type *type);

constexpr double log2e = 1.4426950408889634;

/// The binary digits of 1 / (2 pi) behind the point, the first ones first.
llvm::ArrayRef<uint64_t> turnDigits();
/// A table in the module, made once.
llvm::GlobalVariable *constantTable(llvm::IRBuilderBase &builder, llvm::StringRef name,
                                    llvm::function_ref<llvm::Constant *()> make);
/// Its element of type `element` at `index`.
llvm::Value *lookUp(llvm::IRBuilderBase &builder, llvm::GlobalVariable *table, llvm::Type *element,
                    llvm::Value *index);

} // namespace weft::emit::math

#endif // WEFT_CODEGEN_EMIT_MATH_PARTS_H
