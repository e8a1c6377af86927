// How a contraction is cut into tasks.
#include "codegen/cpu/contraction/ContractionBlocking.h"

#include "codegen/cpu/contraction/Tiling.h"
#include "codegen/emit/Loops.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

Blocking::Blocking(Frame frame, const ContractionForm &form, ContractionAttr schedule, Size k,
                   bool packs)
    : frame(frame), schedule(schedule), tile(schedule.getTile()) {
  IRBuilderBase &b = frame.builder;
  Value *one = b.getInt64(1);
  auto constant = [&](int64_t value) { return b.getInt64(value); };
  Value *batch = frame.extent(form.batch);
  rows = frame.extent(form.rows);
  rowTiles = ceilDiv(b, rows, constant(tile.rows));
  rowBlocks = ceilDiv(b, rowTiles, constant(schedule.getRows() / tile.rows));
  unit = unitOfColumns(form);
  Value *allUnits = constant(0);
  for (const Segment &segment : form.segments) {
    Columns columns{};
    columns.panels = ceilDiv(b, frame.extent(segment.columns), constant(panelWidth));
    columns.units = ceilDiv(b, columns.panels, unit);
    allUnits = b.CreateNSWAdd(allUnits, columns.units);
    segments.push_back(columns);
  }
  // With fewer rows than a tile has, reading the right side takes the time, as long as for a tile.
  Value *costRows = maximum(b, rows, constant(tile.rows));
  Value *products = frame.emission.size(b, k, frame.sizes);
  Value *work = b.CreateNSWMul(b.CreateNSWMul(batch, costRows), products);
  work = b.CreateNSWMul(work, b.CreateNSWMul(allUnits, b.CreateNSWMul(unit, constant(panelWidth))));
  Value *wanted = b.CreateUDiv(work, constant(schedule.getWork()));
  Value *most = b.CreateSelect(b.CreateICmpSGT(products, constant(schedule.getLongSum())),
                               constant(schedule.getLongTasks()), constant(schedule.getTasks()));
  wanted = minimum(b, maximum(b, wanted, one), most);

  Value *before = schedule.getRowsFirst() ? rowTiles : rowBlocks;
  Value *others = maximum(b, b.CreateNSWMul(batch, before), one);
  Value *perBlock = b.CreateUDiv(allUnits, ceilDiv(b, wanted, others));
  Value *widest = b.CreateUDiv(constant(schedule.getColumns() / tile.width() * tile.panels), unit);
  perBlock = maximum(b, minimum(b, perBlock, widest), one);
  columnBlocks = constant(0);
  for (Columns &columns : segments) {
    columns.blocks = ceilDiv(b, columns.units, perBlock);
    columns.first = columnBlocks;
    columns.end = columnBlocks = b.CreateNSWAdd(columnBlocks, columns.blocks);
  }
  others = maximum(b, b.CreateNSWMul(batch, columnBlocks), one);
  Value *mostBlocks =
      packs ? maximum(b, rowBlocks, b.CreateUDiv(rowTiles, constant(tilesThatPack))) : rowTiles;
  rowBlocks = minimum(b, maximum(b, rowBlocks, ceilDiv(b, wanted, others)), mostBlocks);
  taskCount = b.CreateNSWMul(batch, b.CreateNSWMul(rowBlocks, columnBlocks));
}

// Where all rows are one tile, as in decoding, a task waits for its columns to come from memory:
// cut by panels, narrow results have work for as many times more threads as a tile has panels.
Value *Blocking::unitOfColumns(const ContractionForm &form) const {
  IRBuilderBase &b = frame.builder;
  if (tile.panels == 1 || !mayBeOneTile(frame.emission, form.rows, tile.rows))
    return b.getInt64(tile.panels);
  return b.CreateSelect(b.CreateICmpSLE(rows, b.getInt64(tile.rows)), b.getInt64(1),
                        b.getInt64(tile.panels));
}

// A last block that is not of whole tiles is a task of its own: its tiles share its rows evenly or
// are those for few rows, and sums of other tiles have another order.
Value *Blocking::endOfTogether(Value *task, Value *end) const {
  IRBuilderBase &b = frame.builder;
  Value *one = b.getInt64(1);
  Value *inTask = maximum(b, ceilDiv(b, rowTiles, rowBlocks), one);
  Value *most = b.CreateUDiv(b.getInt64(schedule.getRows() / tile.rows), inTask);
  Value *isWhole = b.CreateIsNull(b.CreateURem(rows, b.getInt64(tile.rows)));
  Value *whole = b.CreateSelect(isWhole, rowBlocks, b.CreateNSWSub(rowBlocks, one));
  Value *left = b.CreateNSWSub(whole, b.CreateURem(task, rowBlocks));
  Value *count = maximum(b, minimum(b, most, left), one);
  return minimum(b, b.CreateNSWAdd(task, count), end);
}

// Neighbouring tasks take different rows of the same columns: they share the right side, which is
// larger.
Value *Blocking::batchOf(Value *task) const {
  IRBuilderBase &b = frame.builder;
  return b.CreateUDiv(task, b.CreateNSWMul(rowBlocks, columnBlocks));
}

Value *Blocking::columnBlockOf(Value *task) const {
  IRBuilderBase &b = frame.builder;
  return b.CreateURem(b.CreateUDiv(task, rowBlocks), columnBlocks);
}

Blocking::Part Blocking::rowsOf(Value *task, Value *end) const {
  IRBuilderBase &b = frame.builder;
  Value *block = b.CreateURem(task, rowBlocks), *count = b.CreateNSWSub(end, task);
  return share(rowTiles, rowBlocks, block, count, b.getInt64(tile.rows), rows);
}

Blocking::Part Blocking::panelsOf(unsigned segment, Value *block) const {
  const Columns &columns = segments[segment];
  IRBuilderBase &b = frame.builder;
  Value *own = b.CreateNSWSub(block, columns.first);
  return share(columns.units, columns.blocks, own, b.getInt64(1), unit, columns.panels);
}

/// Of `count` blocks, which are whole units, as even as they can be.
Blocking::Part Blocking::share(Value *units, Value *blocks, Value *block, Value *count, Value *unit,
                               Value *all) const {
  IRBuilderBase &b = frame.builder;
  auto start = [&](Value *number) {
    Value *first = b.CreateUDiv(b.CreateNSWMul(number, units), blocks);
    return minimum(b, b.CreateNSWMul(first, unit), all);
  };
  Value *first = start(block);
  return {first, b.CreateNSWSub(start(b.CreateNSWAdd(block, count)), first)};
}

} // namespace weft::cpu
