// By how much the code of an op may be off.
#ifndef WEFT_TOOLS_REDUCE_EXPECTED_OPERROR_H
#define WEFT_TOOLS_REDUCE_EXPECTED_OPERROR_H

#include "ir/reference/Evaluator.h"

namespace weft::reduce {

constexpr double ulp = 0x1p-23; // of f32, relative

/// The largest finite magnitude; 0 where there is none, and of what is no floats.
double largest(const reference::Array &array);

/// By how much the code of an op may be off: in parts of each result, and in parts of the terms
/// that a sum adds up, which may be far larger than it.
struct Error {
  double relative = 0, absolute = 0;
};

/// Of an op whose results are about as large as `result`, which it made of these operands.
Error errorOf(mlir::Operation *op, mlir::ArrayRef<reference::Tensor> operands,
              const reference::Array &result);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EXPECTED_OPERROR_H
