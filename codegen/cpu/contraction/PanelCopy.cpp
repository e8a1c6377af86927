// Copies a strided right side of a contraction into panels.
#include "codegen/cpu/contraction/PanelCopy.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/Transpose.h"
#include "ir/cpu/Tile.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

static Axes axes(kernel::PanelsAttr panels, ArrayRef<model::DimAttr> down,
                 ArrayRef<model::DimAttr> along) {
  return {DimList(panels.getBatch()), DimList(down), DimList(along)};
}

PanelCopy::PanelCopy(Frame frame, kernel::LayoutAttr source, model::NamedTensorType type,
                     unsigned buffer, kernel::PanelsAttr panels)
    : frame(frame), paired(kernel::isPaired(panels)),
      transposes(
          !walkOver(frame.emission.dims, source, panels.getColumns()).contiguousBy(panelWidth) &&
          walkOver(frame.emission.dims, source, panels.getRows())
              .contiguousBy(frame.emission.lanes)),
      direct(frame, source, type, buffer, axes(panels, panels.getRows(), panels.getColumns())),
      across(frame, source, type, buffer, axes(panels, panels.getColumns(), panels.getRows())),
      columnDims(panels.getColumns()) {}

int64_t PanelCopy::tableBytes(int64_t maxRows, int64_t maxColumns) const {
  return alignTo(direct.tableBytes(maxRows, maxColumns), cacheLine) +
         alignTo(across.tableBytes(maxColumns, maxRows), cacheLine);
}

void PanelCopy::enter(const TaskRange &part, Value *tables, int64_t maxRows, int64_t maxColumns) {
  IRBuilderBase &b = frame.builder;
  allColumns = frame.extent(columnDims);
  direct.enterTask(part, tables, maxRows);
  if (!transposes)
    return;
  int64_t used = alignTo(direct.tableBytes(maxRows, maxColumns), cacheLine);
  across.enterTask({part.batch, part.firstColumn, part.columns, part.firstRow, part.rows},
                   b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), tables, used), maxColumns);
}

void PanelCopy::emitRows(const Target &to, Value *column, Value *first, Value *count) const {
  IRBuilderBase &b = frame.builder;
  Value *rest = b.CreateNSWSub(allColumns, column);
  Value *full = b.CreateICmpSGE(rest, b.getInt64(panelWidth));
  Value *end = b.CreateNSWAdd(first, count);
  choose(
      b, full,
      [&] {
        if (!transposes) {
          emitEach(to, first, end, column, nullptr);
          return Values();
        }
        // Rows lie side by side from a multiple of their number on.
        Value *side = b.getInt64(frame.emission.lanes);
        Value *begin = minimum(b, roundUp(b, first, frame.emission.lanes), end);
        Value *left = b.CreateURem(b.CreateNSWSub(end, begin), side);
        Value *squaresEnd = b.CreateNSWSub(end, left);
        emitEach(to, first, begin, column, nullptr);
        loop(b, begin, squaresEnd, side, [&](Value *row) { emitSquare(to, row, column); });
        emitEach(to, squaresEnd, end, column, nullptr);
        return Values();
      },
      [&] {
        emitEach(to, first, end, column, firstLanes(b, rest, panelWidth));
        return Values();
      });
}

/// Of pairs, `row` is the first of one.
Value *PanelCopy::place(const Target &to, Value *row) const {
  IRBuilderBase &b = frame.builder;
  return b.CreateInBoundsGEP(to.element.memory, to.start,
                             b.CreateNSWMul(b.CreateNSWSub(row, to.first), b.getInt64(panelWidth)));
}

/// Rows `first` up to `end`; of pairs, `first` is the first of one.
void PanelCopy::emitEach(const Target &to, Value *first, Value *end, Value *column,
                         Value *mask) const {
  IRBuilderBase &b = frame.builder;
  auto read = [&](Value *row) { return direct.load(direct.row(row), column, panelWidth, mask); };
  if (!paired) {
    loop(b, first, end, b.getInt64(1),
         [&](Value *row) { to.element.store(b, read(row), place(to, row)); });
    return;
  }
  Value *count = b.CreateNSWSub(end, first);
  Value *odd = b.CreateTrunc(count, b.getInt1Ty());
  Value *last = b.CreateNSWSub(end, b.CreateZExt(odd, b.getInt64Ty()));
  loop(b, first, last, b.getInt64(kernel::rowsOfPair), [&](Value *row) {
    storePair(to, read(row), read(b.CreateNSWAdd(row, b.getInt64(1))), place(to, row));
  });
  when(b, odd, [&] { storePair(to, read(last), nullptr, place(to, last)); });
}

/// Words of two rows; without an upper one its halves are zeros.
void PanelCopy::storePair(const Target &target, Value *lower, Value *upper, Value *to) const {
  IRBuilderBase &b = frame.builder;
  Value *words = b.CreateLShr(roundedToUpperHalf(b, lower), 16);
  if (upper) {
    Value *bits = roundedToUpperHalf(b, upper);
    words = b.CreateOr(words, b.CreateAnd(bits, ConstantInt::get(bits->getType(), 0xffff0000)));
  }
  if (target.pastCaches)
    storePastCaches(b, words, to);
  else
    b.CreateAlignedStore(words, to, Align(4));
}

/// As many rows of the panel as a register has lanes, from columns that are contiguous along them.
void PanelCopy::emitSquare(const Target &to, Value *row, Value *column) const {
  IRBuilderBase &b = frame.builder;
  unsigned side = frame.emission.lanes;
  for (unsigned from = 0; from < panelWidth; from += side) {
    Values along;
    for (unsigned i = 0; i < side; ++i)
      along.push_back(across.load(across.row(b.CreateNSWAdd(column, b.getInt64(from + i))), row,
                                  side, nullptr));
    Values down = transposed(b, along);
    int64_t step = paired ? kernel::rowsOfPair : 1;
    for (int64_t i = 0; i < int64_t(side); i += step) {
      Value *line = place(to, b.CreateNSWAdd(row, b.getInt64(i)));
      Value *at = b.CreateConstInBoundsGEP1_64(to.element.memory, line, from * step);
      if (paired)
        storePair(to, down[i], down[i + 1], at);
      else
        to.element.store(b, down[i], at);
    }
  }
}

} // namespace weft::cpu
