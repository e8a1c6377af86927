// What a contraction kernel computes, read from its region: products, their sums, and what is made
// of them.
#ifndef WEFT_CODEGEN_CPU_CONTRACTIONFORM_H
#define WEFT_CODEGEN_CPU_CONTRACTIONFORM_H

#include "ir/kernel/Kernel.h"

namespace weft::cpu {

using Dims = llvm::SmallVector<mlir::StringAttr>;

/// sum[k](left * right). The operands are numbers of the kernel's operands; `right` lies in panels.
struct Term {
  unsigned left = 0, right = 0;
  Dims k;
};

/// The sum of some terms: what one accumulator tile holds. `value` is the value of the region that
/// it is.
struct Sum {
  mlir::Value value;
  llvm::SmallVector<Term> terms;
};

/// Sums over the same columns, and the results (numbers of the kernel's results) that are made of
/// them.
struct Segment {
  Dims columns;
  llvm::SmallVector<Sum> sums;
  llvm::SmallVector<unsigned> results;
};

/// `rows` are the left sides' own dimensions, `batch` those of both sides and the result.
struct ContractionForm {
  Dims batch, rows;
  llvm::SmallVector<Segment> segments;
};

/// Reads the region of a contraction kernel; a diagnostic on `op` where it is none.
mlir::FailureOr<ContractionForm> readContraction(kernel::FusedOp op);

/// `value` without the ops that only list its dimensions otherwise, or repeat it.
mlir::Value plainSource(mlir::Value value);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTIONFORM_H
