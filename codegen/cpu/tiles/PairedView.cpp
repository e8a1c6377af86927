// Copies of a bfloat16 matrix for instructions that add up products of two terms (PairedPanels.h).
#include "codegen/cpu/tiles/MatrixView.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/Transpose.h"
#include "ir/cpu/Tile.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace llvm;

namespace weft::cpu {

void MatrixView::copy(Part part) const {
  rowsInto(part, Stored(stored.memory), [](Value *value) { return value; });
}

void MatrixView::readPairedPanels(Value *first, Value *count, Value *copy) const {
  IRBuilderBase &b = frame.builder;
  Type *word = b.getInt32Ty();
  Value *width = b.getInt64(panelWidth),
        *words = ceilDiv(b, columns(), b.getInt64(kernel::rowsOfPair));
  loop(b, b.getInt64(0), count, width, [&](Value *i) {
    Value *here = b.CreateNSWAdd(first, i);
    Value *to = b.CreateInBoundsGEP(word, copy, b.CreateNSWMul(i, words));
    Value *last = b.CreateNSWSub(minimum(b, width, b.CreateNSWSub(count, i)), b.getInt64(1));
    auto from = [&](Value *lane) { return row(b.CreateNSWAdd(here, minimum(b, lane, last))); };
    if (columnWalk.contiguous())
      return transposeWords(from, to);
    loop(b, width, [&](Value *lane) {
      Value *source = from(lane);
      loop(b, words, [&](Value *number) {
        Value *index = b.CreateNSWMul(number, b.getInt64(kernel::rowsOfPair));
        Value *next = b.CreateNSWAdd(index, b.getInt64(1));
        Value *whole = b.CreateOr(halfOr0(source, index), b.CreateShl(halfOr0(source, next), 16));
        Value *place = b.CreateNSWAdd(b.CreateNSWMul(number, width), lane);
        b.CreateAlignedStore(whole, b.CreateInBoundsGEP(word, to, place), Align(4));
      });
    });
  });
}

/// Rows whose columns are contiguous, in squares of registers.
void MatrixView::transposeWords(function_ref<Value *(Value *lane)> from, Value *copy) const {
  IRBuilderBase &b = frame.builder;
  assert(frame.emission.lanes == panelWidth && "a register holds a panel's words");
  Type *word = b.getInt32Ty(), *half = stored.memory;
  auto *line = FixedVectorType::get(word, panelWidth);
  Value *words = b.CreateLShr(columns(), 1), *side = b.getInt64(panelWidth);
  Value *whole = b.CreateNSWSub(words, b.CreateURem(words, side));
  Values rows;
  for (int64_t lane = 0; lane < panelWidth; ++lane)
    rows.push_back(from(b.getInt64(lane)));
  auto source = [&](Value *row, Value *number) {
    return b.CreateInBoundsGEP(half, row, b.CreateNSWMul(number, b.getInt64(kernel::rowsOfPair)));
  };
  auto place = [&](Value *number) {
    return b.CreateInBoundsGEP(word, copy, b.CreateNSWMul(number, side));
  };
  loop(b, b.getInt64(0), whole, side, [&](Value *number) {
    Values square;
    for (Value *row : rows)
      square.push_back(b.CreateAlignedLoad(line, source(row, number), Align(2)));
    for (auto [j, words] : enumerate(transposed(b, square)))
      b.CreateAlignedStore(words, place(b.CreateNSWAdd(number, b.getInt64(j))), Align(4));
  });
  auto oneByOne = [&](Value *number, Type *read) {
    for (auto [j, row] : enumerate(rows)) {
      Value *found = b.CreateZExt(b.CreateAlignedLoad(read, source(row, number), Align(2)), word);
      b.CreateAlignedStore(found, b.CreateConstInBoundsGEP1_64(word, place(number), j), Align(4));
    }
  };
  loop(b, whole, words, b.getInt64(1), [&](Value *number) { oneByOne(number, word); });
  when(b, b.CreateTrunc(columns(), b.getInt1Ty()), [&] { oneByOne(words, half); });
}

void MatrixView::readPairs(Value *first, Value *count, Value *rows, Value *copy) const {
  IRBuilderBase &b = frame.builder;
  Type *word = b.getInt32Ty();
  const Stored halves(stored.memory);
  Value *pairsOfPanel = b.CreateLShr(rows, 1), *one = b.getInt64(1);
  loop(b, ceilDiv(b, count, b.getInt64(kernel::rowsOfPair)), [&](Value *pair) {
    Value *lower = b.CreateNSWMul(pair, b.getInt64(kernel::rowsOfPair)),
          *upper = b.CreateNSWAdd(lower, one);
    Value *hasUpper = b.CreateICmpSLT(upper, count);
    Value *lowerRow = row(b.CreateNSWAdd(first, lower)),
          *upperRow = row(b.CreateNSWAdd(first, b.CreateSelect(hasUpper, upper, lower)));
    Value *line = b.CreateNSWMul(pair, b.getInt64(panelWidth));
    auto place = [&](Value *column) {
      return b.CreateInBoundsGEP(word, copy,
                                 b.CreateNSWAdd(b.CreateNSWMul(column, pairsOfPanel), line));
    };
    auto joined = [&](Value *lower, Value *upper) {
      Type *type = lower->getType()->getWithNewType(word);
      Value *kept = b.CreateSelect(hasUpper, b.CreateShl(b.CreateZExt(upper, type), 16),
                                   Constant::getNullValue(type));
      return b.CreateOr(b.CreateZExt(lower, type), kept);
    };
    if (columnWalk.contiguousBy(panelWidth)) {
      forEachVector([&](Value *column, Value *mask) {
        auto read = [&](Value *row) {
          return halves.load(b, element(row, column), panelWidth, mask);
        };
        b.CreateAlignedStore(joined(read(lowerRow), read(upperRow)), place(column), Align(4));
      });
      return;
    }
    loop(b, roundUp(b, columns(), panelWidth), [&](Value *column) {
      Value *within = b.CreateURem(column, b.getInt64(panelWidth));
      Value *start = place(b.CreateNSWSub(column, within));
      Value *upper =
          b.CreateSelect(hasUpper, b.CreateShl(halfOr0(upperRow, column), 16), b.getInt32(0));
      b.CreateAlignedStore(b.CreateOr(halfOr0(lowerRow, column), upper),
                           b.CreateInBoundsGEP(word, start, within), Align(4));
    });
  });
}

/// An element as the lower half of a word; 0 of a column that does not exist.
Value *MatrixView::halfOr0(Value *row, Value *column) const {
  IRBuilderBase &b = frame.builder;
  Value *exists = b.CreateICmpSLT(column, columns());
  Value *there = b.CreateSelect(exists, column, b.getInt64(0));
  Value *half = b.CreateAlignedLoad(stored.memory, element(row, there), Align(2));
  return b.CreateSelect(exists, b.CreateZExt(half, b.getInt32Ty()), b.getInt32(0));
}

} // namespace weft::cpu
