// The left side of a product within one task: read where it lies, or packed into scratch.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_LEFTSIDE_H
#define WEFT_CODEGEN_CPU_CONTRACTION_LEFTSIDE_H

#include "codegen/cpu/contraction/ContractionBlocking.h"
#include "codegen/cpu/contraction/PairTerms.h"
#include "codegen/cpu/contraction/Tiling.h"
#include "codegen/cpu/tiles/AmxTiles.h"
#include "codegen/cpu/tiles/MicroKernel.h"

namespace weft::cpu {

/// One term's left side. Rows that are contiguous along k are read in place, or, stored narrower
/// than the core reads them, widened into rows in scratch, block by block; others are copied into
/// panels [k][rows of a tile]. Where words are multiplied, rows are read in place, and panels are
/// [k / 2][rows of a tile][2] of bfloat16. Tiles read matrices: in place where rows lie at one
/// stride, else copied rows; scaled ones only where a launch has more rows than a tile of few, else
/// rows are widened.
class LeftSide {
public:
  LeftSide(Frame frame, kernel::FusedOp op, const ContractionForm &form, const Term &term,
           ContractionAttr schedule, TermProducts products);

  /// The core for a right side that is stored so.
  Core core(bool paired, std::optional<model::WeightFormat> grouped = {}) const {
    return {.left = ofTiles()        ? Core::Left::matrix
                    : k.contiguous() ? Core::Left::rows
                                     : Core::Left::panel,
            .set = {tile, /*unroll=*/1, schedule.getAccumulators(), schedule.getFew()}, // one order
            .grouped = grouped,
            .paired = paired,
            .dots = pairs};
  }
  /// For numbers that the core widens itself, to pairs where words are multiplied; else rows were
  /// widened to floats.
  Core groupedCore(model::WeightFormat format) const {
    Core core = this->core(/*paired=*/false, format);
    if (ofTiles()) { // what those have rows for is not what registers of vectors have
      core.left = Core::Left::rows;
      core.set = {.most = {amx::fewRows, amx::panels}, .unroll = 1, .accumulators = amx::fewSums};
      core.dots = PairProducts::none;
    }
    return core;
  }
  /// For numbers that were widened to pairs.
  Core scaledCore() const {
    Core core = this->core(/*paired=*/false);
    core.scaled = true;
    return core;
  }

  bool ofTiles() const { return pairs == PairProducts::tiles; }
  /// Blocks begin at multiples of it along k.
  int64_t unit() const { return ofTiles() ? amx::depth : 1; }
  /// Bytes of scratch for a task.
  int64_t scratchBytes() const;
  /// `isFew` (i1): all rows of the launch are one tile.
  void enterTask(const TaskRange &range, const Tiling &tiling, llvm::Value *isFew,
                 llvm::Value *scratch);
  /// Packs, or finds in place, positions `first` to `first + count` along k.
  void enterBlock(llvm::Value *first, llvm::Value *count);
  /// Fills in `left` and `offsets` for `rows` rows from `row` (counted within the task) on.
  void place(CoreCall &call, llvm::Value *row) const;

private:
  bool ofWords() const { return pairs == PairProducts::words; }
  bool inPlace() const {
    return k.contiguous() && (!element.narrow || ofWords() || (ofTiles() && rows.linear()));
  }
  bool widens() const { return k.contiguous() && (ofTiles() ? scaled : !inPlace()); }
  int64_t copyBytes() const;
  int64_t tileTableBytes() const;
  void widenRows();
  void packContiguousRows();
  void prefetchRows(llvm::Value *index) const;
  void packAnyRows();
  void packPairs();
  void packRows();
  void copyRows() const;
  void transposeRows() const;
  void copyElements() const;
  llvm::Value *panelRows() const;
  llvm::Value *pitch() const;
  llvm::Value *wordsOf(llvm::Value *lower, llvm::Value *upper) const;
  llvm::Value *kOffset(llvm::Value *index) const;
  void fillTileStarts();
  llvm::Value *tileStart(llvm::Value *number) const;
  llvm::Value *tileHeight(llvm::Value *number) const;

  Frame frame;
  ContractionAttr schedule;
  Tile tile;
  unsigned buffer;
  Stored element;
  Walk batch, rows, k;
  PairProducts pairs;
  bool scaled, wholeTiles;
  TaskRange range{};
  llvm::Value *base = nullptr;                        // the task's batch position
  llvm::Value *rowTable = nullptr, *kTable = nullptr; // offsets
  llvm::Value *copyTable = nullptr;                   // of widened rows
  llvm::Value *isFew = nullptr;                       // rows: scaled ones, of tiles, are widened
  Tiling tiling;
  llvm::Value *tileStarts = nullptr; // a table, unless tiles are whole: divisions are slow
  llvm::Value *packed = nullptr;     // panels, or widened rows
  llvm::Value *first = nullptr, *count = nullptr; // of the block along k
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_LEFTSIDE_H
