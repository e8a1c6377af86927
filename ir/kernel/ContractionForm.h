// What a contraction kernel computes: which products over which rows and columns, their sums, and
// the epilogues. The one place that says so: fusions ask here before they put ops together; packing
// and the builder of the kernels read it.
#ifndef WEFT_IR_KERNEL_CONTRACTIONFORM_H
#define WEFT_IR_KERNEL_CONTRACTIONFORM_H

#include "ir/kernel/Kernel.h"
#include "ir/model/infer/Align.h"

namespace weft::kernel {

/// sum[k](left * right): rows are what only the left side has, columns what only the right side
/// has, which is packed into panels. `swapped`: the left side is the second operand.
struct Term {
  mlir::Operation *op; ///< a `model.contract`
  bool swapped;
  model::DimList k;

  mlir::Value left() const { return op->getOperand(swapped); }
  mlir::Value right() const { return op->getOperand(!swapped); }
};

/// The sum of some terms: what one accumulator tile holds. `value` is that sum in the region.
struct Sum {
  mlir::Value value;
  llvm::SmallVector<Term> terms;
};

/// Sums over the same columns, and the results (by number) that their epilogue computes.
struct Segment {
  model::DimList columns;
  llvm::SmallVector<Sum> sums;
  llvm::SmallVector<unsigned> results;
};

/// `batch` are the dimensions that both sides and the result have. All terms of a kernel have the
/// same batch and the same rows.
struct ContractionForm {
  model::DimList batch, rows;
  llvm::SmallVector<Segment> segments;
};

/// What the factors of all products of a kernel are: floats as they are, or read as tf32, or stored
/// as bf16.
enum class Factors { float32, tf32, bf16 };
constexpr int64_t bytesOf(Factors factors) {
  return factors == Factors::bf16 ? 2 : 4;
}
/// Of a kernel with layouts.
Factors factorsOf(FusedOp op, const ContractionForm &form);

/// What `ops`, in the order of their block, compute as one kernel that gives `results`; a failure
/// if no kernel can, with the reason in `why` if that is asked for. A value that is defined outside
/// of `ops` is an operand.
mlir::FailureOr<ContractionForm> readContraction(llvm::ArrayRef<mlir::Operation *> ops,
                                                 mlir::ValueRange results,
                                                 std::string *why = nullptr);
/// The same of a kernel that is formed.
mlir::FailureOr<ContractionForm> readContraction(FusedOp op, std::string *why = nullptr);

/// What a kernel of products computes, with dimensions in the order in which they lie in memory, so
/// that neighbours collapse. Fails with a diagnostic where the region is no contraction, or layouts
/// are not strides.
mlir::FailureOr<ContractionForm> contractionInOrder(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_CONTRACTIONFORM_H
