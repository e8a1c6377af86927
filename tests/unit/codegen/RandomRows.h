// Kernels of rows at random: several ops over named dimensions mixed in one kernel, with layouts,
// sizes and inputs.
#ifndef WEFT_TESTS_UNIT_CODEGEN_RANDOMROWS_H
#define WEFT_TESTS_UNIT_CODEGEN_RANDOMROWS_H

#include "Draw.h"
#include "tools/kernel/NamedTensor.h"

#include "ir/kernel/Kernel.h"

namespace weft::test {

using namespace weft::trial;

/// One kernel. Whatever two ways of rounding could tell apart (comparisons, positions, rounding
/// down) is asked of numbers that f32 holds exactly, or of numbers that are hardly ever close.
class RandomRows {
public:
  RandomRows(mlir::MLIRContext &context, uint64_t seed);

  /// The kernel alone, as `Kernel` takes it.
  const std::string &text() const { return written; }
  /// Several of each dimension that comes with the data.
  const std::vector<Sizes> &sizes() const { return points; }
  std::vector<Tensor> inputs(const Sizes &sizes, unsigned seed) const;

private:
  struct Input {
    std::vector<std::string> dims, varying;
    char kind; // f, i or b
  };
  std::string written;
  std::vector<Sizes> points;
  std::vector<Input> operands;

  friend class RowsWriter;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_RANDOMROWS_H
