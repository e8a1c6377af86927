// Of a block of the gradient of attention: where things lie, which tiles there are, who copies
// them, and what is found of queries.
#include "codegen/gpu/attention/group/GradientBlock.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/group/RowProducts.h"
#include "codegen/gpu/contraction/TensorTiles.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

/// Which warps of the first group look at queries; another one copies.
static constexpr unsigned firstWatcher = 2;

GradientBlock::GradientBlock(const GroupGradientKernel &kernel, const Where &where)
    : kernel(kernel), owner(where.owner), frame(kernel.frame), b(frame.builder), form(kernel.form),
      tiles(kernel.tiles), buffers{frame, kernel.op, form, where.batch},
      mask(frame, kernel.op, form), shared(dynamicShared(b)),
      barriers(offset(b, shared, tiles.barriersAt())), ring(barriers, tiles.stages),
      parts(frame.extent(kernel.tensors.apart)), rowCount(frame.extent(kernel.tensors.rows)),
      keyCount(frame.extent(form.keys)), own0(where.first), ownPart(where.part),
      tilesDown(down(ofQueries() ? form.keys : kernel.tensors.rows, tiles.columns)),
      tileCount(ofQueries() ? tilesDown : b.CreateMul(tilesDown, narrow(parts))) {}

Value *GradientBlock::down(const DimList &dims, unsigned each) {
  return narrow(ceilDiv(b, frame.extent(dims), b.getInt64(each)));
}

void GradientBlock::makeBarriers(const GroupGradientKernel &kernel) {
  IRBuilderBase &b = kernel.frame.builder;
  const GroupGradientTiles &tiles = kernel.tiles;
  Value *barriers = offset(b, dynamicShared(b), tiles.barriersAt());
  MbarrierRing(barriers, tiles.stages).make(b, tiles.consumers * warpsOfGroup);
  unsigned behind = MbarrierRing::bytes(tiles.stages);
  makeMbarrier(b, {offset(b, barriers, behind)}, 1);
  for (unsigned stage = 0; stage < tiles.stages; ++stage)
    makeMbarrier(b, {offset(b, barriers, behind + (1 + stage) * mbarrierBytes)}, tiles.watchers);
  publishMbarriers(b);
}

void GradientBlock::bring(Value *warp) {
  mask.scope([&] {
    when(b, b.CreateICmpEQ(warp, b.getInt32(0)), [&] { when(b, elected(b), [&] { produce(); }); });
    when(b, b.CreateICmpUGE(warp, b.getInt32(firstWatcher)), [&] { findConstants(); });
  });
}

static Value *times(IRBuilderBase &b, Value *number, unsigned bytes) {
  return b.CreateMul(number, b.getInt32(bytes));
}

Panels GradientBlock::ownDepth(Value *group) const {
  return {offset(b, shared, times(b, group, tiles.groupBytes())), groupRows, tiles.depth};
}
Panels GradientBlock::ownValues(Value *group) const {
  Panels before = ownDepth(group);
  return {offset(b, before.base, before.bytes()), groupRows, tiles.values};
}
Panels GradientBlock::otherDepth(Value *stage) const {
  Value *base = offset(b, shared, tiles.ownBytes());
  return {offset(b, base, times(b, stage, tiles.stageBytes())), tiles.columns, tiles.depth};
}
Panels GradientBlock::otherValues(Value *stage) const {
  Panels before = otherDepth(stage);
  return {offset(b, before.base, before.bytes()), tiles.columns, tiles.values};
}

Value *GradientBlock::constants(Value *stage) const {
  Value *all = offset(b, shared, tiles.constantsAt());
  unsigned each = tiles.lists * tiles.columns * unsigned(sizeof(float));
  return ofQueries() ? all : offset(b, all, times(b, stage, each));
}
Value *GradientBlock::flag(Value *stage, unsigned watcher) const {
  Value *own = offset(b, shared, tiles.flagsAt() + watcher * unsigned(sizeof(float)));
  return offset(b, own, times(b, stage, tiles.watchers * unsigned(sizeof(float))));
}
Mbarrier GradientBlock::ownFull() const {
  return {offset(b, barriers, MbarrierRing::bytes(tiles.stages))};
}
Mbarrier GradientBlock::constantsFull(Value *stage) const {
  return {offset(b, offset(b, ownFull().address, mbarrierBytes), times(b, stage, mbarrierBytes))};
}

GradientBlock::Tile GradientBlock::tile(Value *number) {
  if (ofQueries())
    return {b.CreateMul(number, b.getInt32(tiles.columns)), ownPart};
  Value *part = wide(b.CreateUDiv(number, tilesDown));
  return {b.CreateMul(b.CreateURem(number, tilesDown), b.getInt32(tiles.columns)), part};
}

TileSource GradientBlock::source(GroupGradientKernel::Map map, const cuda::TensorSide &side,
                                 Value *part) {
  return {kernel.shell.map(map), [this, &side, part](Value *first) {
            Value *at = b.CreateNSWAdd(b.CreateNSWMul(buffers.batch, parts), part);
            auto all = coordinatesOf(frame, side, at, first, b.getInt32(0));
            all.erase(all.begin()); // that of columns
            return all;
          }};
}

Value *GradientBlock::rowOf(Value *query, Value *part) {
  return b.CreateNSWAdd(b.CreateNSWMul(wide(query), parts), part);
}

MaskBounds::Verdict GradientBlock::judge(const Tile &other, Value *ownFirst, unsigned owned) {
  auto within = [&](Value *first, unsigned count, Value *size) -> std::pair<Value *, Value *> {
    Value *from = minimum(b, wide(first), b.CreateNSWSub(size, b.getInt64(1)));
    return {from, minimum(b, b.getInt64(count), b.CreateNSWSub(size, from))};
  };
  auto [query, queries] = ofQueries() ? within(ownFirst, owned, rowCount)
                                      : within(other.first, tiles.columns, rowCount);
  auto [key, keys] = ofQueries() ? within(other.first, tiles.columns, keyCount)
                                 : within(ownFirst, owned, keyCount);
  // Rows of the other parts lie between: what holds of all holds of these.
  return mask.judge(
      {buffers.batch, b.CreateNSWMul(query, parts), b.CreateNSWMul(queries, parts), key, keys});
}

Value *GradientBlock::tileFrom(Value *number) {
  if (!form.mask)
    return number;
  // With a branch, since nothing is to be judged beyond the last tile.
  return repeatWhile(
      b, {number},
      [&](ArrayRef<Value *> at) {
        return choose(
            b, exists(at[0]),
            [&]() -> Values { return {judge(tile(at[0]), own0, tiles.rows()).never}; },
            [&]() -> Values { return {b.getFalse()}; })[0];
      },
      [&](ArrayRef<Value *> at) -> Values { return {following(at[0])}; })[0];
}

/// One thread asks for all tiles.
void GradientBlock::produce() {
  using Kernel = GroupGradientKernel;
  const cuda::GradientTensors &tensors = kernel.tensors;
  auto ofQuery = [&](auto load, Value *part) {
    load(0, source(Kernel::queryMap, tensors.queries, part));
    load(1, source(Kernel::gradientMap, tensors.gradient, part));
  };
  auto ofKey = [&](auto load) {
    load(0, source(Kernel::keyMap, tensors.keys, b.getInt64(0)));
    load(1, source(Kernel::valueMap, tensors.values, b.getInt64(0)));
  };
  arriveExpecting(b, ownFull(), b.getInt32(tiles.ownBytes()));
  for (unsigned group = 0; group < tiles.consumers; ++group) {
    Value *which = b.getInt32(group), *first = b.CreateAdd(own0, b.getInt32(group * groupRows));
    auto load = [&](unsigned number, const TileSource &from) {
      Panels all[] = {ownDepth(which), ownValues(which)};
      all[number].load(b, from, first, ownFull());
    };
    if (ofQueries())
      ofQuery(load, ownPart);
    else
      ofKey(load);
  }
  ProducerPlace begin = ring.producer(b);
  repeatWhile(
      b, {begin.stage, begin.parity, tileFrom(b.getInt32(0))},
      [&](ArrayRef<Value *> at) { return exists(at[2]); },
      [&](ArrayRef<Value *> at) -> Values {
        ProducerPlace place = {at[0], at[1]};
        ring.waitUntilEmpty(b, place);
        Mbarrier full = ring.fills(b, place, tiles.stageBytes());
        Tile other = tile(at[2]);
        auto load = [&](unsigned number, const TileSource &from) {
          Panels all[] = {otherDepth(place.stage), otherValues(place.stage)};
          all[number].load(b, from, other.first, full, tiles.columns / groupRows);
        };
        if (ofQueries())
          ofKey(load);
        else
          ofQuery(load, other.part);
        place = ring.next(b, place);
        return {place.stage, place.parity, tileFrom(following(at[2]))};
      });
}

/// 0 beyond the last query.
GradientBlock::Constants GradientBlock::readConstants(Value *query, Value *part) {
  Values all = choose(
      b, b.CreateICmpULT(wide(query), rowCount),
      [&]() -> Values {
        Value *row = rowOf(query, part);
        Value *product = rowProductAt(frame, form, kernel.shell.scratch(), buffers.batch, row);
        return {buffers.load(form.lse.front(), {form.rows, row}, {{}, b.getInt64(0)}),
                b.CreateLoad(b.getFloatTy(), product)};
      },
      [&]() -> Values { return {number(0), number(0)}; });
  return {all[0], all[1]};
}

Value *GradientBlock::keep(const Constants &read, Value *cells, Value *query) {
  Value *all[] = {read.logsumexp, number(0), read.product};
  for (auto [list, value] : enumerate(all)) {
    Value *at = b.CreateAdd(query, b.getInt32(unsigned(list) * tiles.queries(owner)));
    b.CreateStore(value, b.CreateInBoundsGEP(b.getFloatTy(), cells, at));
  }
  return RowConstants::isCoarse(b, read.logsumexp);
}

void GradientBlock::announce(Value *stage, Value *coarse) {
  Value *any = b.CreateIntrinsic(Intrinsic::nvvm_vote_any_sync, {b.getInt32(~0u), coarse});
  Value *warp = warpOf(b), *isFirst = elected(b);
  for (unsigned watcher = 0; watcher < tiles.watchers; ++watcher)
    when(b, b.CreateAnd(isFirst, b.CreateICmpEQ(warp, b.getInt32(firstWatcher + watcher))),
         [&] { b.CreateStore(b.CreateZExt(any, b.getInt32Ty()), flag(stage, watcher)); });
  warpBarrier(b); // all lanes' stores come before what one of them says
  when(b, isFirst, [&] { arrive(b, constantsFull(stage)); });
}

void GradientBlock::findConstants() {
  Value *own = b.CreateSub(threadOf(b), b.getInt32(firstWatcher * lanesOfWarp));
  constexpr unsigned each = GroupGradientTiles::watchers * lanesOfWarp;
  static_assert(each == groupRows, "a thread has a query of each 64");
  if (ofQueries()) {
    Value *coarse = b.getFalse(), *zero = b.getInt32(0);
    for (unsigned group = 0; group < tiles.consumers; ++group) {
      Value *query = b.CreateAdd(own, b.getInt32(group * each));
      Constants read = readConstants(b.CreateAdd(own0, query), ownPart);
      coarse = b.CreateOr(coarse, keep(read, constants(zero), query));
    }
    announce(zero, coarse);
    return;
  }
  ConsumerPlace begin = ring.consumer(b);
  repeatWhile(
      b, {begin.stage, begin.parity, tileFrom(b.getInt32(0))},
      [&](ArrayRef<Value *> at) { return exists(at[2]); },
      [&](ArrayRef<Value *> at) -> Values {
        ConsumerPlace place = {at[0], at[1]};
        Tile other = tile(at[2]);
        SmallVector<Constants> all; // asked for before they are needed
        for (unsigned i = 0; i < tiles.columns; i += each)
          all.push_back(
              readConstants(b.CreateAdd(other.first, b.CreateAdd(own, b.getInt32(i))), other.part));
        ring.waitUntilFull(b, place); // so those that were there before have been read
        Value *coarse = b.getFalse();
        for (auto [i, read] : enumerate(all)) {
          Value *query = b.CreateAdd(own, b.getInt32(unsigned(i) * each));
          coarse = b.CreateOr(coarse, keep(read, constants(place.stage), query));
        }
        announce(place.stage, coarse);
        place = ring.next(b, place);
        return {place.stage, place.parity, tileFrom(following(at[2]))};
      });
}

} // namespace weft::gpu
