// The scores of a tile of queries with a block of keys: which keys matter, their products, and the
// mask.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_SCORETILE_H
#define WEFT_CODEGEN_CPU_ATTENTION_SCORETILE_H

#include "codegen/cpu/base/ScratchAreas.h"
#include "codegen/cpu/tiles/MicroKernel.h"
#include "codegen/cpu/tiles/TileExpression.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/MaskBounds.h"

namespace weft::cpu {

/// Order of use: `takeAreas` once a call, `enterBlock` for rows and a block of keys, `emitTile` for
/// each tile of rows; the others inside its body.
class ScoreTile {
public:
  struct Shape {
    int64_t rows, keys; // of a tile, and of a block; keys are a multiple of 16
    CoreSet cores;
  };
  /// At most `blockRows` rows enter a block. `mask` may be null.
  ScoreTile(Frame frame, kernel::FusedOp op, Axes axes, mlir::Value mask, Shape shape,
            int64_t blockRows);

  /// A diagnostic on the kernel if the mask cannot be computed.
  mlir::LogicalResult check() { return expression.check(); }
  void takeAreas(ScratchAreas &areas);
  MaskBounds::Verdict bounds(const TaskRange &range) { return maskBounds.judge(range); }
  void enterBlock(const TaskRange &block);

  /// What a tile has to do: some of its keys, in whole panels of 16. Keys are counted from the
  /// block's first, rows from the tile's.
  struct Part {
    llvm::Value *firstRow, *rows; // index among all rows; count
    llvm::Value *firstKey, *keys; // count of keys that exist
    llvm::Value *endPanel;        // firstKey + keys, rounded up to panels
    llvm::Value *masked;          // i1: some score is masked, or beyond the last key
  };
  /// Calls `body` (at run time) unless the mask empties the whole tile.
  void emitTile(llvm::Value *firstRow, llvm::Value *rows,
                llvm::function_ref<void(const Part &)> body);

  /// The area of the scores, [row][key] with `shape.keys` a row, and the line of one row.
  llvm::Value *area() const { return scores; }
  llvm::Value *line(llvm::Value *row) const;
  /// to[row][key] = left[row][…] * panels[key][…], in the shape of the area.
  void multiply(const Part &part, llvm::Value *left, llvm::Value *leftStride, llvm::Value *panels,
                llvm::Value *depth, llvm::Value *to) const;
  /// Loops over the panels of row `row` of the tile, with carried values; `kept` is the mask of a
  /// panel's 16 keys, null where all are kept.
  Values pass(const Part &part, llvm::Value *row, llvm::ArrayRef<llvm::Value *> initial,
              llvm::function_ref<Values(llvm::Value *key, llvm::Value *kept,
                                        llvm::ArrayRef<llvm::Value *> carried)>
                  body);

private:
  llvm::Value *kept(llvm::Value *key);

  Frame frame;
  llvm::IRBuilderBase &b;
  mlir::Value mask;
  Shape shape;
  int64_t blockRows;
  MaskBounds maskBounds;
  TileExpression expression;
  TaskRange block{};
  llvm::Value *scores = nullptr, *tables = nullptr;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_SCORETILE_H
