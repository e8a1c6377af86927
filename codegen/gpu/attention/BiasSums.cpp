// What a block adds up of the gradient of a bias.
#include "codegen/gpu/attention/BiasSums.h"

using namespace llvm;

namespace weft::gpu {

size_t BiasSums::count() const {
  if (!owner.ofBias())
    return 0;
  return size_t(thread.shape.rows * (owner.ownsColumns ? thread.shape.columns : 1));
}

Values BiasSums::add(IRBuilderBase &b, ArrayRef<Value *> sums, ArrayRef<Value *> scores) const {
  Values next(sums);
  size_t each = scores.size() / next.size();
  for (auto [i, score] : enumerate(scores))
    next[i / each] = b.CreateFAdd(next[i / each], score);
  return next;
}

void BiasSums::write(const AttentionBuffers &buffers, ArrayRef<Value *> sums, Value *row,
                     Value *column) const {
  if (sums.empty())
    return;
  if (owner.ownsColumns)
    return writeScores(buffers, sums, row, column);
  IRBuilderBase &b = buffers.frame.builder;
  for (auto [i, sum] : enumerate(sums))
    b.CreateStore(sum, cells.place(b.getInt64(0), thread.column(0), thread.row(int64_t(i))));
  team.barrier();
  writeRows(buffers, row);
}

void BiasSums::writeScores(const AttentionBuffers &buffers, ArrayRef<Value *> sums, Value *row0,
                           Value *column0) const {
  IRBuilderBase &b = buffers.frame.builder;
  Value *rows = buffers.frame.extent(owner.own()), *columns = buffers.frame.extent(owner.others());
  for (auto [i, sum] : enumerate(sums)) {
    Value *row = b.CreateNSWAdd(row0, thread.row(int64_t(i) / thread.shape.columns)),
          *column = b.CreateNSWAdd(column0, thread.column(int64_t(i) % thread.shape.columns));
    Value *exists = b.CreateAnd(b.CreateICmpSLT(row, rows), b.CreateICmpSLT(column, columns));
    when(b, exists, [&] {
      for (unsigned result : owner.form.dbias)
        buffers.store(sum, result, {owner.own(), row}, {owner.others(), column});
    });
  }
}

void BiasSums::writeRows(const AttentionBuffers &buffers, Value *row0) const {
  IRBuilderBase &b = buffers.frame.builder;
  Value *zero = b.getInt64(0), *one = b.getInt64(1);
  auto store = [&](Value *sum, ArrayRef<DimAttr> dims, Value *row) {
    for (unsigned result : owner.form.dbias)
      buffers.store(sum, result, {dims, row}, {{}, zero});
  };
  if (!owner.ownsRows) {
    Value *all = b.getInt64(thread.shape.rows * thread.shape.down);
    return when(b, team.isFirst(), [&] { store(folded(b, zero, all), {}, zero); });
  }
  for (int64_t i = 0; i < thread.shape.rows; ++i) {
    Value *inTile = thread.row(i), *row = b.CreateNSWAdd(row0, inTile);
    Value *mine = b.CreateICmpSLT(row, buffers.frame.extent(owner.own()));
    when(b, b.CreateAnd(mine, thread.isFirstOfRow()),
         [&] { store(folded(b, inTile, b.CreateNSWAdd(inTile, one)), owner.own(), row); });
  }
}

Value *BiasSums::folded(IRBuilderBase &b, Value *row, Value *end) const {
  Value *zero = b.getInt64(0), *one = b.getInt64(1), *across = b.getInt64(thread.shape.across);
  return carryingLoop(b, row, end, one, {ConstantFP::get(b.getFloatTy(), 0)},
                      [&](Value *row, ArrayRef<Value *> ofRows) {
                        return carryingLoop(b, zero, across, one, ofRows,
                                            [&](Value *column, ArrayRef<Value *> sum) {
                                              Value *more = b.CreateLoad(
                                                  b.getFloatTy(), cells.place(zero, column, row));
                                              return Values{b.CreateFAdd(sum[0], more)};
                                            });
                      })[0];
}

} // namespace weft::gpu
