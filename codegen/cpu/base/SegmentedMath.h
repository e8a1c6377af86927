// Functions by segments of their argument: each of sixteen has a polynomial of its own, whose
// coefficients a lane looks up in registers (AVX-512).
#ifndef WEFT_CODEGEN_CPU_BASE_SEGMENTEDMATH_H
#define WEFT_CODEGEN_CPU_BASE_SEGMENTEDMATH_H

#include "codegen/emit/math/VectorMath.h"

namespace weft::cpu {

/// The code of a function that is faster by segments where a register of sixteen floats is a table,
/// or null. A scalar gives the number that a lane gives.
emit::math::Function::Code segmentedFunction(llvm::StringRef name);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_BASE_SEGMENTEDMATH_H
