// Functions by segments of their argument: each of sixteen has a polynomial of its own, whose
// coefficients a lane looks up in registers (AVX-512).
#ifndef WEFT_CODEGEN_EMIT_MATH_SEGMENTS_H
#define WEFT_CODEGEN_EMIT_MATH_SEGMENTS_H

#include "llvm/IR/IRBuilder.h"

namespace weft::emit::math {

/// Whether the function that is written is for a machine on which that is faster: one where a
/// register of sixteen floats is a table.
bool takesSegments(llvm::IRBuilderBase &builder);

// Of `float` or `<L x float>`, for such machines; a scalar gives the number that a lane gives.
llvm::Value *segmentedErf(llvm::IRBuilderBase &builder, llvm::Value *x);
llvm::Value *segmentedTanh(llvm::IRBuilderBase &builder, llvm::Value *x);

} // namespace weft::emit::math

#endif // WEFT_CODEGEN_EMIT_MATH_SEGMENTS_H
