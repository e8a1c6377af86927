// What a kernel has to do at least, whoever runs it and however it is cut.
#ifndef WEFT_IR_KERNEL_WORK_WORK_H
#define WEFT_IR_KERNEL_WORK_WORK_H

#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/DimTable.h"
#include "ir/kernel/Kernel.h"

#include <functional>

namespace weft::kernel {

/// The numbers that sizes are taken for.
using SizesAt = std::function<int64_t(const Size &)>;

/// Floating-point operations: a sum, a product, a function of an element is one. What a mask hides
/// is not counted.
struct Work {
  double products = 0; ///< those of matrix products, two for each pair of elements
  double others = 0;   ///< all others
  double heavy = 0;    ///< of these, functions that take many times longer (exp, tanh, …)
  double shown = 1;    ///< the part of an attention's scores that its mask shows
  double read = 0;     ///< bytes of operands, each element once
  double written = 0;  ///< bytes of results
  Factors factors = Factors::float32; ///< of its matrix products

  double flops() const { return products + others; }
  double bytes() const { return read + written; }
};

/// Of two kernels that run as one.
inline Work together(const Work &one, const Work &other) {
  return {.products = one.products + other.products,
          .others = one.others + other.others,
          .heavy = one.heavy + other.heavy,
          .shown = 1,
          .read = one.read + other.read,
          .written = one.written + other.written,
          .factors = one.factors == other.factors ? one.factors : Factors::float32};
}

/// The same as formulas of sizes, but that what a mask hides is counted, and that of an operand
/// which is read in part, and of what is written in part, the bytes are those of the whole or of
/// the parts, whichever are fewer.
struct WorkFormula {
  struct Bytes {
    Size whole, parts;
  };
  Size products, others, heavy;
  std::vector<Bytes> read; ///< of each operand
  Bytes written;           ///< of all results
  Factors factors = Factors::float32;
  std::optional<AttentionForm> attention; ///< of which `products`, `others` and `heavy` are
  bool isMasked() const { return attention && attention->mask; }
};

/// Of a kernel with layouts. A diagnostic where its region is not of its family.
mlir::FailureOr<WorkFormula> workFormulaOf(FusedOp op, const DimTable &table);
mlir::FailureOr<Work> workOf(FusedOp op, const DimTable &table, const SizesAt &sizes);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_WORK_WORK_H
