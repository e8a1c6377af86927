// Functions of floats by a GPU's own approximations, where these are within what the function
// allows (ir/model/FloatFunctions.h).
#ifndef WEFT_CODEGEN_GPU_BASE_DEVICEMATH_H
#define WEFT_CODEGEN_GPU_BASE_DEVICEMATH_H

#include "codegen/emit/math/VectorMath.h"

namespace weft::gpu {

/// Of scalars of f32: the code that a GPU has of its own, or null.
emit::math::Function::Code ownFunction(llvm::StringRef name);
/// 2^x, within 2^-22 of it; results below the smallest normal number are 0.
llvm::Value *exp2Approximately(llvm::IRBuilderBase &builder, llvm::Value *x);
/// e^x in eight instructions, off by 2^-22 of its result and its rounding; exactly 1 at 0, 0 at
/// -inf; NaN passes. Results below 2^-126 are 0.
llvm::Value *exponential(llvm::IRBuilderBase &builder, llvm::Value *x);
/// tanh x in about twenty instructions, off by less than 2^-21 of its result; NaN and signed zeros
/// pass.
llvm::Value *hyperbolicTangent(llvm::IRBuilderBase &builder, llvm::Value *x);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_BASE_DEVICEMATH_H
