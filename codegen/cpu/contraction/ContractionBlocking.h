// How a contraction is cut into tasks: blocks of rows times blocks of columns, for every position
// of the batch.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTIONBLOCKING_H
#define WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTIONBLOCKING_H

#include "codegen/cpu/tiles/TileAccess.h"
#include "ir/cpu/Cpu.h"
#include "ir/cpu/PlacedContraction.h"

namespace weft::cpu {

/// The numbers of blocks and tasks, as i64 values of a kernel function. They depend on sizes alone,
/// so results do not depend on threads.
class Blocking {
public:
  /// Emits the arithmetic. `k` is the number of products that each element of the result sums.
  /// Where tasks pack their right sides (`packs`), no rows are cut so short that this takes the
  /// time.
  Blocking(Frame frame, const ContractionForm &form, ContractionAttr schedule, Size k, bool packs);

  /// A range of rows, or of a segment's panels.
  struct Part {
    llvm::Value *first, *count;
  };
  llvm::Value *tasks() const { return taskCount; }
  /// The end of the tasks from `task` on, before `end`, that are done as one: their rows are
  /// neighbours, and each panel of the right side is read once for all of them. Results have the
  /// same bits, for their tiles do not depend on it.
  llvm::Value *endOfTogether(llvm::Value *task, llvm::Value *end) const;
  llvm::Value *batchOf(llvm::Value *task) const;
  /// Of the tasks from `task` to `end`, which are done as one.
  Part rowsOf(llvm::Value *task, llvm::Value *end) const;
  /// The number of the block of columns, over all segments.
  llvm::Value *columnBlockOf(llvm::Value *task) const;
  llvm::Value *firstBlock(unsigned segment) const { return segments[segment].first; }
  llvm::Value *endBlock(unsigned segment) const { return segments[segment].end; }
  /// The panels of a block of columns.
  Part panelsOf(unsigned segment, llvm::Value *block) const;

private:
  struct Columns {
    llvm::Value *panels, *units, *blocks, *first, *end;
  };
  Part share(llvm::Value *units, llvm::Value *blocks, llvm::Value *block, llvm::Value *count,
             llvm::Value *unit, llvm::Value *all) const;
  llvm::Value *unitOfColumns(const ContractionForm &form) const;

  Frame frame;
  ContractionAttr schedule;
  Tile tile;
  llvm::Value *rows, *rowTiles, *rowBlocks, *columnBlocks, *taskCount;
  llvm::Value *unit; // panels: what blocks of columns are whole multiples of
  llvm::SmallVector<Columns> segments;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTIONBLOCKING_H
