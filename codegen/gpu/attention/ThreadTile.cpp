// What a thread has of a block's tile.
#include "codegen/gpu/attention/ThreadTile.h"

using namespace llvm;

namespace weft::gpu {

ThreadTile::ThreadTile(IRBuilderBase &builder, Team &team, Shape shape)
    : shape(shape), b(builder), first(b.CreateUDiv(team.lane(), b.getInt64(shape.across))),
      beside(b.CreateURem(team.lane(), b.getInt64(shape.across))) {}

Value *ThreadTile::row(int64_t i) const {
  return b.CreateNSWAdd(first, b.getInt64(i * shape.down));
}

Value *ThreadTile::column(int64_t j) const {
  return b.CreateNSWAdd(beside, b.getInt64(j * shape.across));
}

Value *ThreadTile::isFirstOfRow() const {
  return b.CreateICmpEQ(beside, b.getInt64(0));
}

Values ThreadTile::products(StagedSide &left, Columns right, int64_t columns, int64_t count,
                            Values sums, int64_t unroll) const {
  Value *half = b.getInt64(0);
  return carryingLoop(
      b, b.getInt64(0), b.getInt64(count), b.getInt64(1), sums,
      [&](Value *k, ArrayRef<Value *> carried) {
        Values ofLeft, ofRight, next;
        for (int64_t i = 0; i < shape.rows; ++i)
          ofLeft.push_back(b.CreateLoad(b.getFloatTy(), left.place(half, k, row(i))));
        for (int64_t j = 0; j < columns; ++j) {
          Value *at = right.turned ? right.side.place(half, column(j), k)
                                   : right.side.place(half, k, column(j));
          ofRight.push_back(b.CreateLoad(b.getFloatTy(), at));
        }
        for (auto [i, x] : enumerate(ofLeft))
          for (auto [j, y] : enumerate(ofRight))
            next.push_back(b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                             {x, y, carried[i * columns + j]}));
        return next;
      },
      unroll);
}

} // namespace weft::gpu
