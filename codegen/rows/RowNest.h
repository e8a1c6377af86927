// Loops over dimensions in which values of a rows kernel are evaluated.
#ifndef WEFT_CODEGEN_ROWS_ROWNEST_H
#define WEFT_CODEGEN_ROWS_ROWNEST_H

#include "codegen/rows/RowEvaluator.h"

namespace weft::rows {

class RowNest {
public:
  using Body = llvm::function_ref<void(const RowFrame &)>;

  RowNest(llvm::IRBuilderBase &builder, Scopes &scopes, RowEvaluator &evaluator)
      : builder(builder), scopes(scopes), evaluator(evaluator) {}

  /// The place along `dim` in the innermost loop, whose index is `position`.
  const Place *at(llvm::Value *position, DimAttr dim);
  /// Position 0 of `dim`, which is known everywhere.
  const Place *start(DimAttr dim);
  /// Loops over `dims`, the last one innermost, with their positions added to each of `frames`.
  void over(llvm::ArrayRef<DimAttr> dims, llvm::ArrayRef<RowFrame> frames,
            llvm::function_ref<void(llvm::ArrayRef<RowFrame>)> body);
  /// The same, of the last dimension those positions alone that are `first`, which is below `step`,
  /// and every `step` behind it: `together` of them at a time, the frames of one before the next's,
  /// then what is left one by one.
  void overShare(llvm::ArrayRef<DimAttr> dims, llvm::ArrayRef<RowFrame> frames, llvm::Value *first,
                 llvm::Value *step, llvm::function_ref<void(llvm::ArrayRef<RowFrame>)> body,
                 int64_t together = 1);
  /// The same as over() for one.
  void overOne(llvm::ArrayRef<DimAttr> dims, const RowFrame &frame, Body body) {
    over(dims, frame, [&](llvm::ArrayRef<RowFrame> frames) { body(frames.front()); });
  }
  /// The positions along `dims` of the row with number `row`, row-major.
  RowFrame row(llvm::ArrayRef<DimAttr> dims, llvm::Value *row);
  /// Runs along `dim` in whole vectors of `lanes`, then in what is left under a mask. Once if there
  /// is no `dim`.
  void alongLanes(DimAttr dim, unsigned lanes, const RowFrame &frame, Body body);

private:
  llvm::IRBuilderBase &builder;
  Scopes &scopes;
  RowEvaluator &evaluator;
  llvm::DenseMap<DimAttr, const Place *> starts;
};

/// What kernels of one op that fixes the order of its loops share (scans, scatters): the evaluator
/// of the operands, and the result's buffer. With a dimension for the lanes, values are vectors;
/// else scalars.
struct OrderedKernel {
  llvm::IRBuilderBase &builder;
  RowContext context;
  Scopes scopes;
  llvm::SmallVector<MemoryTensor> buffers;
  RowEvaluator evaluator;
  RowNest loops;

  OrderedKernel(const RowProgram &program, DimAttr lanesAlong, Frame frame,
                Numbers numbers = Numbers());
  const MemoryTensor &target() const { return buffers.back(); }
};

/// The one of `dims` along which the kernel's last result is contiguous, or none.
DimAttr besideEachOther(kernel::FusedOp op, llvm::ArrayRef<DimAttr> dims, const Emission &emission);

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWNEST_H
