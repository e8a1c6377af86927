// The right side of a product within one task: panels, read as they are stored, or widened or
// packed in scratch.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_RIGHTSIDE_H
#define WEFT_CODEGEN_CPU_CONTRACTION_RIGHTSIDE_H

#include "codegen/cpu/contraction/LeftSide.h"
#include "codegen/cpu/contraction/PanelCopy.h"
#include "codegen/cpu/tiles/GroupedPanel.h"

namespace weft::cpu {

/// One term's right side. Weights that are stored in groups are widened by the core where all rows
/// of a launch are one tile, as in decoding. Of more rows, they are widened into scratch once for
/// all of a task, a tile's panels and a block along k at a time, and read as float32, or, scaled,
/// as pairs. What is strided is packed into scratch once for all tiles of rows, a block along k at
/// a time.
class RightSide {
public:
  RightSide(Frame frame, kernel::FusedOp op, const Term &term, ContractionAttr schedule,
            TermProducts products);

  /// Bytes of scratch for a task.
  int64_t scratchBytes() const;
  /// Whether panels are widened each time that they are entered.
  bool widensPanels() const { return format.has_value(); }
  /// Along k, what a block is a multiple of.
  int64_t unit() const;
  /// `isFew` (i1): all rows of the launch are one tile. The columns of a task begin with panel
  /// `first` (i64) of `panels` that a position of the batch has, of `allRows` rows.
  void enterTask(const TaskRange &range, llvm::Value *first, llvm::Value *panels,
                 llvm::Value *allRows, llvm::Value *isFew, llvm::Value *scratch);
  /// Positions `first` to `first + count` along k.
  void enterBlock(llvm::Value *first, llvm::Value *count);
  /// `count` panels of the block from `panel` on, counted within the task: what `call` reads next.
  void enterPanels(llvm::Value *panel, llvm::Value *count);
  /// Calls the core that reads them; `call` has all but the right side.
  void multiply(CoreCall call, const LeftSide &left) const;

private:
  void widen(llvm::Value *panels);
  llvm::Value *widenedStride() const;
  void widenToFloats(GroupedPanel &reader, llvm::Value *group, llvm::Value *to);
  void widenToPairs(GroupedPanel &reader, llvm::Value *group, llvm::Value *to);
  void pack();
  int64_t copyBytes() const;

  Frame frame;
  ContractionAttr schedule;
  unsigned buffer;
  std::optional<model::WeightFormat> format; // of weights that share scales
  bool paired = false;                       // of bfloat16
  bool scaled;                               // to pairs, where they are widened
  Stored element;                            // what addresses count: of those bytes
  std::optional<PanelCopy> packing;          // of what is strided
  TaskRange range{};
  llvm::Value *base = nullptr, *stride = nullptr, *isFew = nullptr, *copy = nullptr;
  llvm::Value *first = nullptr, *count = nullptr; // of the block
  llvm::Value *here = nullptr;                    // of the panels
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_RIGHTSIDE_H
