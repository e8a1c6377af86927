// The scores of a tile of queries with a block of keys.
#include "codegen/cpu/attention/ScoreTile.h"

#include "codegen/cpu/tiles/Product.h"
#include "codegen/emit/Elementwise.h"
#include "codegen/emit/math/VectorMath.h"
#include "ir/kernel/storage/PairedPanels.h"

#include <numbers>

using namespace llvm;

namespace weft::cpu {

static SmallVector<mlir::Value> listed(mlir::Value value) {
  return value ? SmallVector<mlir::Value>{value} : SmallVector<mlir::Value>{};
}

ScoreTile::ScoreTile(Frame frame, kernel::FusedOp op, const AttentionForm &form, Shape shape,
                     int64_t blockRows)
    : frame(frame), b(frame.builder), form(form), mask(form.mask), shape(shape),
      blockRows(blockRows),
      maskBounds(frame.builder, frame.emission, frame.sizes, form.scores(), mask),
      expression(frame, op, form.scores(), listed(mask), {}),
      bias(frame, op, form.scores(), listed(form.bias), {}),
      keep(frame, op, form.scores(), listed(form.keep), {}) {}

mlir::LogicalResult ScoreTile::check() {
  return success(succeeded(expression.check()) && succeeded(bias.check()) &&
                 succeeded(keep.check()));
}

void ScoreTile::takeAreas(ScratchAreas &areas) {
  scores = areas.floats(b.getInt64(shape.rows * shape.keys));
  int64_t bytes = 0;
  for (TileExpression *each : {&expression, &bias, &keep})
    bytes += each->tableBytes(blockRows, shape.keys);
  tables = areas.bytes(b.getInt64(bytes));
}

void ScoreTile::enterBlock(const TaskRange &range) {
  block = range;
  int64_t offset = 0;
  for (TileExpression *each : {&expression, &bias, &keep}) {
    each->enterTask(range, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), tables, offset), blockRows,
                    shape.keys);
    offset += each->tableBytes(blockRows, shape.keys);
  }
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
                         Value *depth, Value *to, PairProducts pairs) const {
  Value *width = b.getInt64(panelWidth);
  Type *number = b.getFloatTy();
  Product product{};
  product.core = pairs != PairProducts::none
                     ? Core::ofPairs(Core::Left::matrix, shape.cores, pairs)
                     : Core{Core::Left::matrix, Core::Right::panels, shape.cores};
  product.rows = part.rows;
  Value *elements = depth; // of a key, in a panel
  if (pairs != PairProducts::none) {
    number = b.getInt16Ty();
    elements = roundUp(b, depth, kernel::rowsOfPair);
  }
  product.panels = b.CreateUDiv(b.CreateNSWSub(part.endPanel, part.firstKey), width);
  product.k = depth;
  product.left = left;
  product.leftStride = leftStride;
  product.right = b.CreateInBoundsGEP(number, panels, b.CreateNSWMul(part.firstKey, elements));
  product.rightStride = b.CreateNSWMul(elements, width);
  product.out = b.CreateInBoundsGEP(b.getFloatTy(), to, part.firstKey);
  product.outStride = b.getInt64(shape.keys);
  product.accumulate = b.getFalse();
  emitProduct(b, frame.emission, product);
}

Value *ScoreTile::exists(Value *key) {
  return firstLanes(b, b.CreateNSWSub(block.columns, key), panelWidth);
}

/// `value` of the 16 keys from `key` (of the block) on; of those that do not exist it is nothing.
Value *ScoreTile::panel(TileExpression &from, mlir::Value value, Value *key) {
  Value *rest = b.CreateNSWSub(block.columns, key);
  Value *at = column(key);
  auto computed = [&](Value *exists) -> Values {
    from.enterColumns(at, panelWidth, exists, {});
    return {ElementwiseEmitter::splat(b, from.value(value), panelWidth)};
  };
  if (!from.readsColumns())
    return computed(nullptr)[0];
  return choose(
      b, b.CreateICmpSGE(rest, b.getInt64(panelWidth)), [&] { return computed(nullptr); },
      [&] { return computed(firstLanes(b, rest, panelWidth)); })[0];
}

/// Which of the 16 keys from `key` (of the block) on exist and are kept.
Value *ScoreTile::kept(Value *key) {
  Value *exist = exists(key);
  return mask ? b.CreateAnd(panel(expression, mask, key), exist) : exist;
}

ScoreTile::Score ScoreTile::score(Value *product, Value *key) {
  auto number = [&](double value) { return ConstantFP::get(product->getType(), value); };
  Value *added = nullptr, *slope = nullptr, *score = product;
  if (factor != 1)
    score = b.CreateFMul(score, number(factor));
  if (form.bias)
    added = b.CreateFMul(panel(bias, form.bias, key), number(std::numbers::log2e));
  if (added && form.cappedBias)
    score = b.CreateFAdd(score, added);
  if (form.cap != 0) {
    double cap = form.cap * std::numbers::log2e;
    Value *capped = frame.emission.codeOf("tanh")(b, b.CreateFMul(score, number(1 / cap)));
    slope = b.CreateFSub(number(1), b.CreateFMul(capped, capped));
    score = b.CreateFMul(capped, number(cap));
  }
  if (added && !form.cappedBias)
    score = b.CreateFAdd(score, added);
  return {score, slope};
}

Values ScoreTile::dropped(ArrayRef<Value *> of, Value *key) {
  Value *on = panel(keep, form.keep, key);
  Values result;
  for (Value *each : of) {
    Value *factor = ConstantFP::get(each->getType(), form.keepFactor);
    result.push_back(
        b.CreateSelect(on, b.CreateFMul(each, factor), Constant::getNullValue(each->getType())));
  }
  return result;
}

Values
ScoreTile::pass(const Part &part, Value *row, ArrayRef<Value *> initial,
                function_ref<Values(Value *key, Value *kept, ArrayRef<Value *> carried)> body) {
  Value *at = b.CreateNSWAdd(part.firstRow, row);
  if (form.bias)
    bias.enterRow(at);
  if (form.keep)
    keep.enterRow(at);
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
          expression.enterRow(at);
        return over(true);
      },
      [&] { return over(false); });
}

} // namespace weft::cpu
