// Floats rounded to bfloat16 as whoever multiplies pairs of them reads them.
#ifndef WEFT_CODEGEN_CPU_TILES_HALVES_H
#define WEFT_CODEGEN_CPU_TILES_HALVES_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace weft::cpu {

/// Sixteen floats, by the instruction of AVX512_BF16: to nearest, ties to even. It takes subnormal
/// numbers for 0, as the products do, so this is for what only these read.
inline llvm::Value *halvesOfProducts(llvm::IRBuilderBase &b, llvm::Value *floats) {
  llvm::Value *halves =
      b.CreateIntrinsic(llvm::Intrinsic::x86_avx512bf16_cvtneps2bf16_512, {floats});
  return b.CreateBitCast(halves, floats->getType()->getWithNewType(b.getInt16Ty()));
}

/// Words of whole numbers of at most 8 bits, which are the upper halves of their floats, and whose
/// lower halves are zeros; without upper ones theirs are zeros too.
inline llvm::Value *pairOfWholeNumbers(llvm::IRBuilderBase &b, llvm::Value *lower,
                                       llvm::Value *upper) {
  llvm::Type *words = lower->getType()->getWithNewType(b.getInt32Ty());
  llvm::Value *below = b.CreateLShr(b.CreateBitCast(lower, words), 16);
  return upper ? b.CreateOr(below, b.CreateBitCast(upper, words)) : below;
}

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_HALVES_H
