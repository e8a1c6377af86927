// What a warp has of a tile of scores, and products of it.
#include "codegen/gpu/attention/warp/Fragments.h"

#include "codegen/gpu/base/DeviceMath.h"

#include <numbers>

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

WarpTile::WarpTile(Builder &builder, unsigned rows, unsigned warps, unsigned terms)
    : b(builder), products(rows / warps / mmaRows), terms(terms),
      firstRow(builder.CreateMul(warpOf(builder), builder.getInt32(rows / warps))) {}

Values WarpTile::zero(unsigned columns) const {
  return Values(sums(columns), ConstantFP::get(b.getFloatTy(), 0));
}

Value *WarpTile::row(unsigned which) const {
  Value *inside = b.CreateAdd(Sums::rowOf(b, which % 2), b.getInt32(which / 2 * mmaRows));
  return b.CreateZExt(b.CreateAdd(firstRow, inside), b.getInt64Ty());
}

Value *WarpTile::column(unsigned number, unsigned columns) const {
  unsigned first = number / 4 % across(columns) * mmaColumns + number % 2;
  return b.CreateZExt(b.CreateAdd(Sums::columnOf(b), b.getInt32(first)), b.getInt64Ty());
}

static void addProduct(Builder &b, const LeftFragment &left, const RightFragment &right,
                       Value **sums) {
  Sums before{{sums[0], sums[1], sums[2], sums[3]}};
  copy(multiply(b, Element::bfloat16, left, right, before).values, sums);
}

Values WarpTile::scores(const Left &left, const Left &right, unsigned columns) const {
  Values sums = zero(columns);
  for (unsigned deep = 0; deep < left.matrix.columns(); deep += mmaDepth(Element::bfloat16)) {
    SmallVector<LeftFragment> lefts;
    for (unsigned i = 0; i < products; ++i)
      lefts.push_back(
          left.matrix.left(left.place, b.CreateAdd(firstRow, b.getInt32(i * mmaRows)), deep));
    for (unsigned j = 0; j < across(columns); j += 2)
      for (auto [second, each] :
           enumerate(right.matrix.rowsAcross(right.place, j * mmaColumns, deep)))
        for (unsigned i = 0; i < products; ++i)
          addProduct(b, lefts[i], each, &sums[(i * across(columns) + j + second) * 4]);
  }
  return sums;
}

/// The numbers rounded, and what that leaves, rounded.
SmallVector<LeftFragment, 2> WarpTile::termsOf(ArrayRef<Value *> eight) const {
  SmallVector<LeftFragment, 2> all(terms);
  auto asFloat = [&](Value *bits) { return b.CreateBitCast(bits, b.getFloatTy()); };
  for (unsigned pair = 0; pair < 4; ++pair) {
    Value *first = eight[2 * pair], *second = eight[2 * pair + 1];
    Value *high = packed(b, Element::bfloat16, first, second);
    all[0].registers[pair] = high;
    if (terms == 1)
      continue;
    Value *restOfFirst = b.CreateFSub(first, asFloat(b.CreateShl(high, 16)));
    Value *restOfSecond = b.CreateFSub(second, asFloat(b.CreateAnd(high, b.getInt32(0xffff0000))));
    all[1].registers[pair] = packed(b, Element::bfloat16, restOfFirst, restOfSecond);
  }
  return all;
}

// Two products across, as sums lie in registers, are one product deep as a left side does.
Values WarpTile::add(ArrayRef<Value *> numbers, unsigned deep, const Left &right,
                     ArrayRef<Value *> before) const {
  Values sums(before);
  unsigned columns = right.matrix.columns();
  for (unsigned down = 0; down < deep; down += mmaDepth(Element::bfloat16)) {
    SmallVector<SmallVector<LeftFragment, 2>> lefts;
    for (unsigned i = 0; i < products; ++i)
      lefts.push_back(termsOf(numbers.slice((i * across(deep) + across(down)) * 4, 8)));
    for (unsigned j = 0; j < across(columns); j += 2)
      for (auto [second, each] :
           enumerate(right.matrix.columnsAcross(right.place, j * mmaColumns, down)))
        for (unsigned term = 0; term < terms; ++term)
          for (unsigned i = 0; i < products; ++i)
            addProduct(b, lefts[i][term], each, &sums[(i * across(columns) + j + second) * 4]);
  }
  return sums;
}

Value *exponentialBelowZero(Builder &builder, Value *x) {
  Value *base2 = builder.CreateFMul(x, ConstantFP::get(builder.getFloatTy(), std::numbers::log2e));
  return exp2Approximately(builder, base2);
}

} // namespace weft::gpu
