// The scores of a tile of queries with a block of keys: which keys matter, their products, the
// mask, and what is made of products and weights: cap, bias and dropout.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_SCORETILE_H
#define WEFT_CODEGEN_CPU_ATTENTION_SCORETILE_H

#include "codegen/cpu/base/ScratchAreas.h"
#include "codegen/cpu/tiles/MicroKernel.h"
#include "codegen/cpu/tiles/TileExpression.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/MaskBounds.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::cpu {

/// Order of use: `takeAreas` once a call, `enterBlock` for rows and a block of keys, `emitTile` for
/// each tile of rows; the others inside its body. Products and scores are in units of ln 2: times
/// log2(e), so that a weight is exp2.
class ScoreTile {
public:
  struct Shape {
    int64_t rows, keys; // of a tile, and of a block; keys are a multiple of 16
    CoreSet cores;
  };
  /// At most `blockRows` rows enter a block.
  ScoreTile(Frame frame, kernel::FusedOp op, const AttentionForm &form, Shape shape,
            int64_t blockRows);

  /// A diagnostic on the kernel if mask, bias or dropout cannot be computed.
  mlir::LogicalResult check();
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
  /// to[row][key] = left[row][…] * panels[key][…], in the shape of the area. By `pairs`: both are
  /// bfloat16, the left side as it is stored, panels as MatrixView::readPanels makes them.
  void multiply(const Part &part, llvm::Value *left, llvm::Value *leftStride, llvm::Value *panels,
                llvm::Value *depth, llvm::Value *to, PairProducts pairs) const;
  /// Loops over the panels of row `row` of the tile, with carried values; `kept` is the mask of a
  /// panel's 16 keys, null where all are kept. Inside it and behind it `score` and `dropped` are of
  /// that row.
  Values pass(const Part &part, llvm::Value *row, llvm::ArrayRef<llvm::Value *> initial,
              llvm::function_ref<Values(llvm::Value *key, llvm::Value *kept,
                                        llvm::ArrayRef<llvm::Value *> carried)>
                  body);

  /// What products have to be multiplied by: by score(), or, where that is all there is to be done
  /// to them, by whoever reads them, who is spared a pass. Queries that were scaled before: 1.
  double factor = 1;
  /// Whether scores are something else than the products, or than those times a positive factor.
  bool transforms() const { return form.bias || form.cap != 0 || factor <= 0; }
  double factorLeft() const { return transforms() ? 1 : factor; }
  struct Score {
    llvm::Value *value;
    llvm::Value *slope; ///< of the score by the product; null where it is 1
  };
  /// Of a panel of products, the scores.
  Score score(llvm::Value *product, llvm::Value *key);
  bool drops() const { return bool(form.keep); }
  /// `where(keep, x * keep_factor, 0)` of a panel of weights, or of their gradients; what is kept
  /// is the same for all of a key's `of`.
  Values dropped(llvm::ArrayRef<llvm::Value *> of, llvm::Value *key);
  /// Whether the bias is a part of what is capped.
  bool capsBias() const { return form.cappedBias; }
  /// Which of the 16 keys from `key` on exist.
  llvm::Value *exists(llvm::Value *key);
  /// The number of a key of the block among all.
  llvm::Value *column(llvm::Value *key) const { return b.CreateNSWAdd(block.firstColumn, key); }

private:
  llvm::Value *kept(llvm::Value *key);
  llvm::Value *panel(TileExpression &from, mlir::Value value, llvm::Value *key);

  Frame frame;
  llvm::IRBuilderBase &b;
  const AttentionForm &form;
  mlir::Value mask;
  Shape shape;
  int64_t blockRows;
  MaskBounds maskBounds;
  TileExpression expression, bias, keep; // of the mask, and of the others
  TaskRange block{};
  llvm::Value *scores = nullptr, *tables = nullptr;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_SCORETILE_H
