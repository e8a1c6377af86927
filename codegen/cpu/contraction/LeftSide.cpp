// The left side of a product within one task: read where it lies, or packed into scratch.
#include "codegen/cpu/contraction/LeftSide.h"

#include "codegen/emit/Loops.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

LeftSide::LeftSide(Frame frame, kernel::FusedOp op, const ContractionForm &form, const Term &term,
                   ContractionAttr schedule)
    : frame(frame), schedule(schedule), tile(schedule.getTile()),
      buffer(operandNumber(term.left())),
      wholeTiles(hasWholeTiles(frame.emission, form.rows, tile.rows)) {
  auto layout = cast<kernel::LayoutAttr>(op.getLayoutsAttr()[buffer]);
  batch = walkOver(frame.emission.dims, layout, form.batch);
  rows = walkOver(frame.emission.dims, layout, form.rows);
  k = walkOver(frame.emission.dims, layout, term.k);
}

static int64_t tableBytes(int64_t entries) {
  return alignTo(entries * sizeof(int64_t), cacheLine);
}

/// Of the rows at which the tiles of a task start, and at which the last one ends.
int64_t LeftSide::tileTableBytes() const {
  return wholeTiles ? 0 : tableBytes(schedule.getRows() / tile.rows + 1);
}

int64_t LeftSide::scratchBytes() const {
  if (inPlace())
    return tableBytes(schedule.getRows());
  return tableBytes(schedule.getK()) + tileTableBytes() +
         alignTo(schedule.getRows() * schedule.getK() * sizeof(float), cacheLine);
}

void LeftSide::enterTask(const TaskRange &taskRange, const Tiling &rowTiling, Value *scratch) {
  IRBuilderBase &b = frame.builder;
  range = taskRange;
  tiling = rowTiling;
  Value *offset = frame.emission.offset(b, batch, range.batch, frame.sizes);
  base = b.CreateInBoundsGEP(b.getFloatTy(), frame.buffer(buffer), offset);
  if (inPlace()) {
    rowTable = scratch;
    fillOffsets(frame, rows, range.firstRow, range.rows, rowTable);
    return;
  }
  kTable = scratch;
  tileStarts = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), kTable, tableBytes(schedule.getK()));
  packed = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), tileStarts, tileTableBytes());
  fillTileStarts();
}

void LeftSide::fillTileStarts() {
  if (wholeTiles)
    return;
  IRBuilderBase &b = frame.builder;
  loop(b, b.CreateNSWAdd(tiling.tiles(), b.getInt64(1)), [&](Value *i) {
    b.CreateStore(tiling.start(b, i), b.CreateInBoundsGEP(b.getInt64Ty(), tileStarts, i));
  });
}

Value *LeftSide::tileStart(Value *number) const {
  IRBuilderBase &b = frame.builder;
  if (wholeTiles)
    return tiling.start(b, number);
  return b.CreateLoad(b.getInt64Ty(), b.CreateInBoundsGEP(b.getInt64Ty(), tileStarts, number));
}

Value *LeftSide::tileHeight(Value *number) const {
  IRBuilderBase &b = frame.builder;
  if (wholeTiles)
    return tiling.size(b, number);
  return b.CreateNSWSub(tileStart(b.CreateNSWAdd(number, b.getInt64(1))), tileStart(number));
}

Value *LeftSide::kOffset(Value *index) const {
  IRBuilderBase &b = frame.builder;
  if (k.linear())
    return frame.emission.offset(b, k, b.CreateNSWAdd(first, index), frame.sizes);
  return b.CreateLoad(b.getInt64Ty(), b.CreateInBoundsGEP(b.getInt64Ty(), kTable, index));
}

void LeftSide::enterBlock(Value *firstK, Value *countK) {
  first = firstK;
  count = countK;
  if (inPlace())
    return;
  if (!k.linear())
    fillOffsets(frame, k, first, count, kTable);
  if (rows.contiguous())
    packContiguousRows();
  else
    packAnyRows();
}

void LeftSide::packContiguousRows() {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  auto *vector = FixedVectorType::get(number, tile.rows);
  loop(b, count, [&](Value *index) {
    Value *source =
        b.CreateInBoundsGEP(number, base, b.CreateNSWAdd(kOffset(index), range.firstRow));
    loop(b, tiling.tiles(), [&](Value *i) {
      Value *row = tileStart(i), *height = tileHeight(i);
      Value *from = b.CreateInBoundsGEP(number, source, row);
      Value *within = b.CreateNSWAdd(b.CreateNSWMul(row, count), b.CreateNSWMul(index, height));
      Value *to = b.CreateInBoundsGEP(number, packed, within);
      choose(
          b, b.CreateICmpEQ(height, b.getInt64(tile.rows)),
          [&] {
            b.CreateAlignedStore(b.CreateAlignedLoad(vector, from, Align(4)), to, Align(4));
            return Values();
          },
          [&] {
            loop(b, height, [&](Value *r) {
              b.CreateStore(b.CreateLoad(number, b.CreateInBoundsGEP(number, from, r)),
                            b.CreateInBoundsGEP(number, to, r));
            });
            return Values();
          });
    });
  });
}

void LeftSide::packAnyRows() {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  loop(b, tiling.tiles(), [&](Value *i) {
    Value *row = tileStart(i), *height = tileHeight(i);
    Value *start = b.CreateInBoundsGEP(number, packed, b.CreateNSWMul(row, count));
    loop(b, height, [&](Value *r) {
      Value *index = b.CreateNSWAdd(range.firstRow, b.CreateNSWAdd(row, r));
      Value *source =
          b.CreateInBoundsGEP(number, base, frame.emission.offset(b, rows, index, frame.sizes));
      Value *to = b.CreateInBoundsGEP(number, start, r);
      loop(b, count, [&](Value *kk) {
        Value *value = b.CreateLoad(number, b.CreateInBoundsGEP(number, source, kOffset(kk)));
        b.CreateStore(value, b.CreateInBoundsGEP(number, to, b.CreateNSWMul(kk, height)));
      });
    });
  });
}

void LeftSide::place(CoreCall &call, Value *row) const {
  IRBuilderBase &b = frame.builder;
  if (inPlace()) {
    call.left = b.CreateInBoundsGEP(b.getFloatTy(), base, first);
    call.offsets = b.CreateInBoundsGEP(b.getInt64Ty(), rowTable, row);
    return;
  }
  call.left = b.CreateInBoundsGEP(b.getFloatTy(), packed, b.CreateNSWMul(row, count));
}

} // namespace weft::cpu
