// A ring of stages in shared memory, through which a block gets the tiles of what it goes through.
#include "codegen/gpu/attention/warp/TileRing.h"

#include "codegen/gpu/instructions/Copy.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

Value *TileRing::following(Value *first) const {
  return builder.CreateNSWAdd(first, builder.getInt64(step));
}

Value *TileRing::next(Value *from, IsEmpty isEmpty) const {
  // Of a tile that is none nothing is asked.
  Value *last = builder.CreateNSWSub(count, builder.getInt64(1));
  return emit::repeatWhile(
      builder, {from},
      [&](ArrayRef<Value *> at) {
        Value *empty = isEmpty(emit::minimum(builder, at[0], last));
        return builder.CreateAnd(exists(at[0]), empty);
      },
      [&](ArrayRef<Value *> at) { return Values{following(at[0])}; })[0];
}

Value *TileRing::stage(Value *slot) const {
  return offset(builder, shared, builder.CreateMul(slot, builder.getInt32(stageBytes)));
}

Values TileRing::through(ArrayRef<Value *> initial, IsEmpty isEmpty, Fill fill, Body body) const {
  // A group of copies either way, so that as many groups are under way in each pass.
  auto ask = [&](Value *slot, Value *first) {
    emit::when(builder, exists(first), [&] { fill(stage(slot), first); });
    commitCopies(builder);
  };
  // The slot of the tile at hand, then that tile and those on the way.
  Values state = {builder.getInt32(0)};
  unsigned ahead = stages - 1;
  Value *from = builder.getInt64(0);
  for (unsigned i = 0; i < ahead; ++i) {
    Value *first = next(from, isEmpty);
    ask(builder.getInt32(i), first);
    state.push_back(first);
    from = following(first);
  }
  append_range(state, initial);
  auto wrapped = [&](Value *slot, unsigned by) {
    return builder.CreateURem(builder.CreateAdd(slot, builder.getInt32(by)),
                              builder.getInt32(stages));
  };
  Values last = emit::repeatWhile(
      builder, state, [&](ArrayRef<Value *> all) { return exists(all[1]); },
      [&](ArrayRef<Value *> all) {
        // This tile is there for all, and the one before is no longer read by any.
        waitForCopies(builder, ahead - 1);
        barrier(builder);
        Value *later = next(following(all[ahead]), isEmpty);
        ask(wrapped(all[0], ahead), later);
        Values carried = body(stage(all[0]), all[1], all.drop_front(1 + ahead));
        Values result = {wrapped(all[0], 1)};
        append_range(result, all.slice(2, ahead - 1));
        result.push_back(later);
        append_range(result, carried);
        return result;
      });
  waitForCopies(builder, 0); // where there was no tile, what came before is on the way
  return Values(ArrayRef(last).drop_front(1 + ahead));
}

} // namespace weft::gpu
