// Numbers that a formula gives: tensors that nobody stores, the same everywhere.
#pragma once

#include "Recorded.h"

#include <cstdint>

namespace weft::test {

/// A tensor by formula, as the recorded summaries of full-size systems give their inputs.
struct Formula {
  uint32_t salt = 0;
  double scale = 1, offset = 0; ///< floats are around `offset`, `scale` from end to end
  uint32_t modulus = 0;         ///< not 0: whole numbers below it
};

/// Floats are rounded to 32 bits, as in the record.
reference::Array numbers(llvm::ArrayRef<int64_t> shape, Formula formula);

} // namespace weft::test
