// Copies of a left side for AMX: rows of bfloat16, one behind the other, as far apart as whole
// tiles are deep. Nobody reads what lies behind what there is along k: cores copy a last tile that
// is not whole, wherever its rows lie.
#include "codegen/cpu/contraction/LeftSide.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/Transpose.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace llvm;

namespace weft::cpu {

Value *LeftSide::pitch() const {
  return roundUp(frame.builder, count, amx::depth);
}

void LeftSide::packRows() {
  if (k.contiguous())
    copyRows();
  else if (rows.contiguous())
    transposeRows();
  else
    copyElements();
}

static Value *loadFirst(IRBuilderBase &b, Value *from, Value *count, unsigned lanes) {
  auto *type = FixedVectorType::get(b.getInt16Ty(), lanes);
  return b.CreateMaskedLoad(type, from, Align(2), firstLanes(b, count, lanes),
                            Constant::getNullValue(type));
}

void LeftSide::copyRows() const {
  IRBuilderBase &b = frame.builder;
  Type *half = b.getInt16Ty();
  loop(b, range.rows, [&](Value *row) {
    Value *offset =
        frame.emission.offset(b, rows, b.CreateNSWAdd(range.firstRow, row), frame.sizes);
    Value *from = b.CreateInBoundsGEP(half, base, b.CreateNSWAdd(offset, first));
    Value *to = b.CreateInBoundsGEP(half, packed, b.CreateNSWMul(row, pitch()));
    loop(b, b.getInt64(0), count, b.getInt64(amx::depth), [&](Value *i) {
      Value *line =
          loadFirst(b, b.CreateInBoundsGEP(half, from, i), b.CreateNSWSub(count, i), amx::depth);
      b.CreateAlignedStore(line, b.CreateInBoundsGEP(half, to, i), Align(amx::lineBytes));
    });
  });
}

/// Where rows lie side by side: squares of words, 16 rows by 32 positions along k. There is room
/// for whole squares.
void LeftSide::transposeRows() const {
  IRBuilderBase &b = frame.builder;
  Type *half = b.getInt16Ty();
  constexpr unsigned side = amx::lines;
  static_assert(amx::depth == side * kernel::rowsOfPair);
  loop(b, b.getInt64(0), range.rows, b.getInt64(side), [&](Value *row) {
    Value *rest = b.CreateNSWSub(range.rows, row);
    loop(b, b.getInt64(0), count, b.getInt64(amx::depth), [&](Value *start) {
      auto positionAt = [&](int64_t step) {
        Value *index = b.CreateNSWAdd(start, b.getInt64(step));
        Value *exists = b.CreateICmpSLT(index, count);
        Value *offset = kOffset(b.CreateSelect(exists, index, start));
        offset = b.CreateNSWAdd(offset, b.CreateNSWAdd(range.firstRow, row));
        return loadFirst(b, b.CreateInBoundsGEP(half, base, offset),
                         b.CreateSelect(exists, rest, b.getInt64(0)), side);
      };
      Values words;
      for (int64_t step = 0; step < amx::depth; step += kernel::rowsOfPair)
        words.push_back(wordsOf(positionAt(step), positionAt(step + 1)));
      for (auto [i, line] : enumerate(transposed(b, words))) {
        Value *place = b.CreateNSWMul(b.CreateNSWAdd(row, b.getInt64(i)), pitch());
        Value *to = b.CreateInBoundsGEP(half, packed, b.CreateNSWAdd(place, start));
        b.CreateAlignedStore(line, to, Align(amx::lineBytes));
      }
    });
  });
}

void LeftSide::copyElements() const {
  IRBuilderBase &b = frame.builder;
  Type *half = b.getInt16Ty();
  loop(b, range.rows, [&](Value *row) {
    Value *source = b.CreateInBoundsGEP(
        half, base,
        frame.emission.offset(b, rows, b.CreateNSWAdd(range.firstRow, row), frame.sizes));
    Value *to = b.CreateInBoundsGEP(half, packed, b.CreateNSWMul(row, pitch()));
    auto target = [&](Value *i) { return b.CreateInBoundsGEP(half, to, i); };
    loop(b, count, [&](Value *i) {
      Value *from = b.CreateInBoundsGEP(half, source, kOffset(i));
      b.CreateStore(b.CreateAlignedLoad(half, from, Align(2)), target(i));
    });
  });
}

} // namespace weft::cpu
