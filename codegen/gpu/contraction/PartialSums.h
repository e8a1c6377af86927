// Products whose depth is cut into parts: sums of each part are left in scratch, and a launch
// behind the products adds them, part by part, and computes what is made of them.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_PARTIALSUMS_H
#define WEFT_CODEGEN_GPU_CONTRACTION_PARTIALSUMS_H

#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/contraction/TileEpilogue.h"

namespace weft::gpu {

/// How the depths of a kernel's products are cut: into at most `most` parts, of whole steps of
/// `deep` elements. There are no more parts than the longest depth has steps.
struct DepthParts {
  int64_t most, deep;

  bool isCut() const { return most > 1; }
  /// i64, at least 1.
  llvm::Value *count(Frame frame, const ContractionForm &form) const;
  /// The steps [first, end) of a depth that belong to a part (all i64).
  std::pair<llvm::Value *, llvm::Value *> steps(Frame frame, const Term &term, llvm::Value *count,
                                                llvm::Value *part) const;
};

/// Of each part the sums of all elements, f32, row by row.
class PartialSums {
public:
  /// `scratch`: of the kernel; `parts` as DepthParts counts them.
  PartialSums(Frame frame, const ContractionForm &form, llvm::Value *scratch, llvm::Value *parts);

  /// A thread's sums of a part (i64), where they are within the result.
  void put(const Segment &segment, llvm::Value *part, const ThreadTile &tile,
           TileEpilogue::SumsAt sums);
  /// Of each sum of the segment all parts, added up in their order.
  Values added(const Segment &segment, llvm::Value *batch, llvm::Value *row, llvm::Value *column);

private:
  llvm::Value *place(const Segment &segment, unsigned sum, llvm::Value *batch, llvm::Value *row,
                     llvm::Value *column);

  Frame frame;
  llvm::IRBuilderBase &b;
  const ContractionForm &form;
  llvm::Value *scratch, *parts;
  llvm::Value *ofPart; ///< floats (i64)
};

/// Ends a kernel of products, which has as many blocks (i64) for all its parts; where depths are
/// cut, with the launch behind it.
DeviceKernel finishProducts(KernelShell &shell, FusedOp op, const ContractionForm &form,
                            const DepthParts &cut, llvm::StringRef name, Emissions emissions,
                            llvm::function_ref<llvm::Value *(Frame)> blocks);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_PARTIALSUMS_H
