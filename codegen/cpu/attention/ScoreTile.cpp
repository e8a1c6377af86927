// The scores of a tile of queries with a block of keys.
#include "codegen/cpu/attention/ScoreTile.h"

#include "codegen/cpu/tiles/Product.h"
#include "codegen/emit/Elementwise.h"

using namespace llvm;

namespace weft::cpu {

static SmallVector<mlir::Value> listed(mlir::Value mask) {
  return mask ? SmallVector<mlir::Value>{mask} : SmallVector<mlir::Value>{};
}

ScoreTile::ScoreTile(Frame frame, kernel::FusedOp op, Axes axes, mlir::Value mask, Shape shape,
                     int64_t blockRows)
    : frame(frame), b(frame.builder), mask(mask), shape(shape), blockRows(blockRows),
      maskBounds(frame.builder, frame.emission, frame.sizes, axes, mask),
      expression(frame, op, axes, listed(mask), {}) {}

void ScoreTile::takeAreas(ScratchAreas &areas) {
  scores = areas.floats(b.getInt64(shape.rows * shape.keys));
  tables = areas.bytes(b.getInt64(expression.tableBytes(blockRows, shape.keys)));
}

void ScoreTile::enterBlock(const TaskRange &range) {
  block = range;
  expression.enterTask(range, tables, blockRows, shape.keys);
}

void ScoreTile::emitTile(Value *firstRow, Value *rows, function_ref<void(const Part &)> body) {
  Value *width = b.getInt64(panelWidth);
  TaskRange tile = block;
  tile.firstRow = firstRow;
  tile.rows = rows;
  Value *first = b.getInt64(0), *end = block.columns;
  if (mask) {
    // The panels that some row sees: from the first to the last.
    Value *nothing = block.columns;
    Values ends =
        carryingLoop(b, b.getInt64(0), block.columns, width, {nothing, b.getInt64(0)},
                     [&](Value *key, ArrayRef<Value *> carried) {
                       TaskRange panel = tile;
                       panel.firstColumn = b.CreateNSWAdd(block.firstColumn, key);
                       panel.columns = minimum(b, width, b.CreateNSWSub(block.columns, key));
                       Value *never = maskBounds.judge(panel).never;
                       Value *after = b.CreateNSWAdd(key, panel.columns);
                       return Values{b.CreateSelect(never, carried[0], minimum(b, carried[0], key)),
                                     b.CreateSelect(never, carried[1], after)};
                     });
    first = ends[0];
    end = ends[1];
  }
  when(b, b.CreateICmpSLT(first, end), [&] {
    Part part{};
    part.firstRow = firstRow;
    part.rows = rows;
    part.firstKey = first;
    part.keys = b.CreateNSWSub(end, first);
    part.endPanel = roundUp(b, end, panelWidth);
    tile.firstColumn = b.CreateNSWAdd(block.firstColumn, first);
    tile.columns = part.keys;
    Value *always = maskBounds.judge(tile).always;
    part.masked = b.CreateOr(b.CreateNot(always), b.CreateICmpNE(part.endPanel, end));
    body(part);
  });
}

Value *ScoreTile::line(Value *row) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), scores, b.CreateNSWMul(row, b.getInt64(shape.keys)));
}

void ScoreTile::multiply(const Part &part, Value *left, Value *leftStride, Value *panels,
                         Value *depth, Value *to) const {
  Value *width = b.getInt64(panelWidth);
  Product product{};
  product.core = {Core::Left::matrix, Core::Right::panels, shape.cores};
  product.rows = part.rows;
  product.panels = b.CreateUDiv(b.CreateNSWSub(part.endPanel, part.firstKey), width);
  product.k = depth;
  product.left = left;
  product.leftStride = leftStride;
  product.right = b.CreateInBoundsGEP(b.getFloatTy(), panels, b.CreateNSWMul(part.firstKey, depth));
  product.rightStride = b.CreateNSWMul(depth, width);
  product.out = b.CreateInBoundsGEP(b.getFloatTy(), to, part.firstKey);
  product.outStride = b.getInt64(shape.keys);
  product.accumulate = b.getFalse();
  emitProduct(b, frame.emission, product);
}

/// Which of the 16 keys from `key` (of the block) on exist and are kept.
Value *ScoreTile::kept(Value *key) {
  Value *rest = b.CreateNSWSub(block.columns, key);
  Value *column = b.CreateNSWAdd(block.firstColumn, key);
  auto computed = [&](Value *exists) -> Values {
    if (!mask)
      return {exists ? exists
                     : Constant::getAllOnesValue(FixedVectorType::get(b.getInt1Ty(), panelWidth))};
    expression.enterColumns(column, panelWidth, exists, {});
    Value *on = ElementwiseEmitter::splat(b, expression.value(mask), panelWidth);
    return {exists ? b.CreateAnd(on, exists) : on};
  };
  return choose(
      b, b.CreateICmpSGE(rest, b.getInt64(panelWidth)), [&] { return computed(nullptr); },
      [&] { return computed(firstLanes(b, rest, panelWidth)); })[0];
}

Values
ScoreTile::pass(const Part &part, Value *row, ArrayRef<Value *> initial,
                function_ref<Values(Value *key, Value *kept, ArrayRef<Value *> carried)> body) {
  auto over = [&](bool masked) {
    return carryingLoop(b, part.firstKey, part.endPanel, b.getInt64(panelWidth), initial,
                        [&](Value *key, ArrayRef<Value *> carried) {
                          return body(key, masked ? kept(key) : nullptr, carried);
                        });
  };
  return choose(
      b, part.masked,
      [&] {
        if (mask)
          expression.enterRow(b.CreateNSWAdd(part.firstRow, row));
        return over(true);
      },
      [&] { return over(false); });
}

} // namespace weft::cpu
