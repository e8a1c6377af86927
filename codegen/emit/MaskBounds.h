// What a mask says of a whole block: so blocks that it empties are skipped, and it is not computed
// where it keeps everything.
#ifndef WEFT_CODEGEN_EMIT_MASKBOUNDS_H
#define WEFT_CODEGEN_EMIT_MASKBOUNDS_H

#include "codegen/emit/Sizes.h"
#include "codegen/emit/TaskRange.h"

#include "llvm/ADT/DenseMap.h"

namespace weft::emit {

/// Interval arithmetic over the ops of a mask. Positions and sizes are exact; of what is read from
/// memory nothing is known. Values have 32 bits and wrap. So do intervals: where both ends wrap
/// equally often, the interval wraps with them; else it is all of 32 bits.
class MaskBounds {
public:
  /// `sizes` is the ABI's array, `known` its dimensions. `mask` may be null: it keeps everything.
  MaskBounds(llvm::IRBuilderBase &b, const Sizes &known, llvm::Value *sizes, const Axes &axes,
             mlir::Value mask)
      : b(b), known(known), sizes(sizes), axes(axes), mask(mask) {}

  /// Two i1: the mask is false, or true, in the whole block. Neither holds where the block is mixed
  /// or nothing is known.
  struct Verdict {
    llvm::Value *never, *always;
  };
  /// Emits the verdict on a block of at least one row and one column.
  Verdict judge(const TaskRange &block);

private:
  /// Both ends belong to it; i64, of which every value fits 32 bits.
  struct Range {
    llvm::Value *low, *high;
  };
  Verdict verdict(mlir::Value value);
  Verdict computeVerdict(mlir::Operation *op);
  Verdict compare(model::CompareOp op);
  std::optional<Range> range(mlir::Value value);
  std::optional<Range> computeRange(mlir::Operation *op);
  Range positions(DimAttr dim);
  /// The interval from `low` to `high`, wrapped to 32 bits.
  Range wrapped(llvm::Value *low, llvm::Value *high);

  llvm::IRBuilderBase &b;
  const Sizes &known;
  llvm::Value *sizes;
  Axes axes;
  mlir::Value mask;
  TaskRange block{};
  llvm::DenseMap<mlir::Value, Verdict> verdicts;
  llvm::DenseMap<mlir::Value, std::optional<Range>> ranges;
};

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_MASKBOUNDS_H
