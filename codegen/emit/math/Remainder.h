// The remainder of a division of floats, as LLVM IR.
#ifndef WEFT_CODEGEN_EMIT_MATH_REMAINDER_H
#define WEFT_CODEGEN_EMIT_MATH_REMAINDER_H

#include "llvm/IR/IRBuilder.h"

namespace weft::emit::math {

/// x - n y, exactly, with n = x / y cut to a whole number, as C's fmod: the sign is that of x; NaN
/// where x is infinite or y is 0. Of floats or doubles, scalars or vectors. Writes a loop, once
/// around unless x / y has more digits than a float: the builder goes on in the block behind it.
llvm::Value *remainder(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::Value *y);

} // namespace weft::emit::math

#endif // WEFT_CODEGEN_EMIT_MATH_REMAINDER_H
