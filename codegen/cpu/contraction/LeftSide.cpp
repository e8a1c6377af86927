// The left side of a product within one task: read where it lies, or packed into scratch.
#include "codegen/cpu/contraction/LeftSide.h"

#include "codegen/cpu/tiles/Prefetch.h"
#include "codegen/emit/Loops.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

LeftSide::LeftSide(Frame frame, kernel::FusedOp op, const ContractionForm &form, const Term &term,
                   ContractionAttr schedule, TermProducts products)
    : frame(frame), schedule(schedule), tile(schedule.getTile()),
      buffer(operandNumber(term.left())),
      element(frame.builder.getContext(), model::typeOf(term.left()), op.getLayoutsAttr()[buffer]),
      pairs(products.pairs), scaled(products.scaled),
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

/// Of all of a block that is not read in place.
int64_t LeftSide::copyBytes() const {
  return alignTo(schedule.getRows() * schedule.getK() * sizeof(float), cacheLine);
}

int64_t LeftSide::scratchBytes() const {
  if (ofTiles() && !scaled)
    return inPlace() ? 0 : tableBytes(schedule.getK()) + copyBytes();
  if (widens())
    return 2 * tableBytes(schedule.getRows()) + copyBytes();
  if (inPlace())
    return tableBytes(schedule.getRows());
  return tableBytes(schedule.getK()) + tileTableBytes() + copyBytes();
}

void LeftSide::enterTask(const TaskRange &taskRange, const Tiling &rowTiling, Value *areFew,
                         Value *scratch) {
  IRBuilderBase &b = frame.builder;
  range = taskRange;
  tiling = rowTiling;
  isFew = areFew;
  Value *offset = frame.emission.offset(b, batch, range.batch, frame.sizes);
  base = b.CreateInBoundsGEP(element.memory, frame.buffer(buffer), offset);
  if (ofTiles() && !scaled) {
    kTable = scratch;
    packed = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, tableBytes(schedule.getK()));
    return;
  }
  if (inPlace() || widens()) {
    rowTable = scratch;
    fillOffsets(frame, rows, range.firstRow, range.rows, rowTable);
    int64_t table = tableBytes(schedule.getRows());
    copyTable = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, table);
    packed = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copyTable, table);
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
  if (scaled && ofTiles())
    return when(frame.builder, isFew, [&] { widenRows(); });
  if (inPlace())
    return;
  if (widens())
    return widenRows();
  if (!k.linear())
    fillOffsets(frame, k, first, count, kTable);
  if (ofTiles())
    packRows();
  else if (ofWords())
    packPairs();
  else if (rows.contiguous())
    packContiguousRows();
  else
    packAnyRows();
}

void LeftSide::widenRows() {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy(), *whole = b.getInt64Ty();
  const unsigned lanes = frame.emission.lanes;
  Value *vectors = b.CreateNSWSub(count, b.CreateURem(count, b.getInt64(lanes)));
  loop(b, range.rows, [&](Value *row) {
    Value *offset = b.CreateLoad(whole, b.CreateInBoundsGEP(whole, rowTable, row));
    Value *from = b.CreateInBoundsGEP(element.memory, base, b.CreateNSWAdd(offset, first));
    Value *start = b.CreateNSWMul(row, count);
    b.CreateStore(start, b.CreateInBoundsGEP(whole, copyTable, row));
    Value *to = b.CreateInBoundsGEP(number, packed, start);
    auto source = [&](Value *i) { return b.CreateInBoundsGEP(element.memory, from, i); };
    auto target = [&](Value *i) { return b.CreateInBoundsGEP(number, to, i); };
    loop(b, b.getInt64(0), vectors, b.getInt64(lanes), [&](Value *i) {
      b.CreateAlignedStore(element.load(b, source(i), lanes), target(i), Align(4));
    });
    loop(b, vectors, count, b.getInt64(1),
         [&](Value *i) { b.CreateStore(element.load(b, source(i)), target(i)); });
  });
}

// Of each position along k a task reads some lines, and the next position is far from it: no
// hardware knows.
void LeftSide::prefetchRows(Value *index) const {
  if (!k.linear())
    return; // the table of offsets ends with the block
  IRBuilderBase &b = frame.builder;
  Value *later = b.CreateNSWAdd(index, b.getInt64(positionsAhead));
  Value *from = b.CreateGEP(element.memory, base, b.CreateNSWAdd(kOffset(later), range.firstRow));
  auto ask = [&](Value *row) { prefetch(b, b.CreateGEP(element.memory, from, row)); };
  loop(b, b.getInt64(0), range.rows,
       b.getInt64(cacheLine * 8 / element.memory->getPrimitiveSizeInBits()), ask);
  ask(b.CreateNSWSub(range.rows, b.getInt64(1)));
}

void LeftSide::packContiguousRows() {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  loop(b, count, [&](Value *index) {
    Value *source =
        b.CreateInBoundsGEP(element.memory, base, b.CreateNSWAdd(kOffset(index), range.firstRow));
    prefetchRows(index);
    loop(b, tiling.tiles(), [&](Value *i) {
      Value *row = tileStart(i), *height = tileHeight(i);
      Value *from = b.CreateInBoundsGEP(element.memory, source, row);
      Value *within = b.CreateNSWAdd(b.CreateNSWMul(row, count), b.CreateNSWMul(index, height));
      Value *to = b.CreateInBoundsGEP(number, packed, within);
      choose(
          b, b.CreateICmpEQ(height, b.getInt64(tile.rows)),
          [&] {
            b.CreateAlignedStore(element.load(b, from, tile.rows), to, Align(4));
            return Values();
          },
          [&] {
            loop(b, height, [&](Value *r) {
              b.CreateStore(element.load(b, b.CreateInBoundsGEP(element.memory, from, r)),
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
      Value *source = b.CreateInBoundsGEP(element.memory, base,
                                          frame.emission.offset(b, rows, index, frame.sizes));
      Value *to = b.CreateInBoundsGEP(number, start, r);
      loop(b, count, [&](Value *kk) {
        Value *value = element.load(b, b.CreateInBoundsGEP(element.memory, source, kOffset(kk)));
        b.CreateStore(value, b.CreateInBoundsGEP(number, to, b.CreateNSWMul(kk, height)));
      });
    });
  });
}

/// Pairs of positions along k, one tile after the other: [(count + 1) / 2][rows of the tile].
void LeftSide::packPairs() {
  IRBuilderBase &b = frame.builder;
  Type *word = b.getInt32Ty(), *half = b.getInt16Ty();
  auto rowAt = [&](Value *row) {
    return rows.contiguous()
               ? b.CreateNSWAdd(range.firstRow, row)
               : frame.emission.offset(b, rows, b.CreateNSWAdd(range.firstRow, row), frame.sizes);
  };
  Value *whole = b.CreateLShr(count, 1), *odd = b.CreateTrunc(count, b.getInt1Ty());
  auto pair = [&](Value *number, bool isLast) {
    Value *index = b.CreateShl(number, 1);
    Value *lower = b.CreateInBoundsGEP(half, base, kOffset(index));
    Value *upper =
        isLast ? nullptr
               : b.CreateInBoundsGEP(half, base, kOffset(b.CreateNSWAdd(index, b.getInt64(1))));
    if (rows.contiguous()) {
      prefetchRows(index);
      prefetchRows(b.CreateNSWAdd(index, b.getInt64(1)));
    }
    loop(b, tiling.tiles(), [&](Value *i) {
      Value *row = tileStart(i), *height = tileHeight(i);
      Value *within =
          b.CreateNSWAdd(b.CreateNSWMul(row, panelRows()), b.CreateNSWMul(number, height));
      Value *to = b.CreateInBoundsGEP(word, packed, within);
      auto copy = [&](Value *r, unsigned lanes) {
        Type *type = lanes > 1 ? static_cast<Type *>(FixedVectorType::get(half, lanes)) : half;
        Value *offset = rowAt(b.CreateNSWAdd(row, r));
        auto read = [&](Value *line) {
          return b.CreateAlignedLoad(type, b.CreateInBoundsGEP(half, line, offset), Align(2));
        };
        Value *words = wordsOf(read(lower), upper ? read(upper) : nullptr);
        b.CreateAlignedStore(words, b.CreateInBoundsGEP(word, to, r), Align(4));
      };
      auto oneByOne = [&] {
        loop(b, height, [&](Value *r) { copy(r, 1); });
        return Values();
      };
      if (!rows.contiguous()) {
        oneByOne();
        return;
      }
      choose(
          b, b.CreateICmpEQ(height, b.getInt64(tile.rows)),
          [&] { return copy(b.getInt64(0), unsigned(tile.rows)), Values(); }, oneByOne);
    });
  };
  loop(b, whole, [&](Value *number) { pair(number, /*isLast=*/false); });
  when(b, odd, [&] { pair(whole, /*isLast=*/true); });
}

/// Two positions along k of each row; without an upper one its half is zeros.
Value *LeftSide::wordsOf(Value *lower, Value *upper) const {
  IRBuilderBase &b = frame.builder;
  Type *word = lower->getType()->getWithNewType(b.getInt32Ty());
  Value *words = b.CreateZExt(lower, word);
  return upper ? b.CreateOr(words, b.CreateShl(b.CreateZExt(upper, word), 16)) : words;
}

/// Of a panel of the block: numbers, or words.
Value *LeftSide::panelRows() const {
  return ofWords() ? ceilDiv(frame.builder, count, frame.builder.getInt64(kernel::rowsOfPair))
                   : count;
}

void LeftSide::place(CoreCall &call, Value *row) const {
  IRBuilderBase &b = frame.builder;
  if (ofTiles()) {
    Value *from = inPlace() ? b.CreateInBoundsGEP(element.memory, base, first) : packed;
    Value *at = inPlace() ? b.CreateNSWAdd(range.firstRow, row) : row;
    call.leftStride = inPlace() ? frame.emission.size(b, rows.stride(), frame.sizes) : pitch();
    call.left = b.CreateInBoundsGEP(element.memory, from, b.CreateNSWMul(at, call.leftStride));
    if (!scaled)
      return;
    call.left = b.CreateSelect(isFew, packed, call.left);
    call.offsets = b.CreateInBoundsGEP(b.getInt64Ty(), copyTable, row);
    return;
  }
  if (inPlace() || widens()) {
    call.left = widens() ? packed : b.CreateInBoundsGEP(element.memory, base, first);
    call.offsets = b.CreateInBoundsGEP(b.getInt64Ty(), widens() ? copyTable : rowTable, row);
    return;
  }
  call.left = b.CreateInBoundsGEP(b.getFloatTy(), packed, b.CreateNSWMul(row, panelRows()));
}

} // namespace weft::cpu
