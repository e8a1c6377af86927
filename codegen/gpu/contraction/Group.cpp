// Producer and consumers, and the order of tiles.
#include "codegen/gpu/contraction/Group.h"

#include "codegen/emit/Loops.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

std::pair<unsigned, unsigned> GroupTiles::leftBox(bool alongDepth) const {
  return {depth(), alongDepth ? rows() : depth()};
}

std::pair<unsigned, unsigned> GroupTiles::rightBox(bool alongDepth) const {
  return {depth(), alongDepth ? columns / cluster : depth()};
}

std::string GroupTiles::problem() const {
  if (columns < 8 || columns > 256 || columns % 8)
    return "a product has 8 to 256 columns, in eights";
  if (rows() > 256)
    return "a box has at most 256 rows";
  if (cluster != 1 && cluster != 2)
    return "one or two blocks share what they copy";
  unsigned pieces = rightAlongDepth ? 8 : depth();
  if (columns % (pieces * cluster))
    return "the columns are not whole boxes for each block";
  if ((!leftAlongDepth || !rightAlongDepth) && element == Element::tf32)
    return "elements of four bytes lie along what is summed";
  if (consumers < 1 || consumers > 3 || stages < 2)
    return "one to three consumers, two stages at least";
  if (columns / 2 * down > (consumers == 3 ? 96 : 160))
    return "sums take more registers than a thread has";
  if (sharedBytes() > 227 * 1024)
    return "stages take more shared memory than a block has";
  return "";
}

namespace {

/// A thread's registers while it copies, and while it multiplies: together what the block began
/// with.
struct Registers {
  unsigned producer, consumer;
};
constexpr Registers registersOf[] = {{0, 0}, {0, 0}, {40, 232}, {32, 160}};

class GroupProducts {
public:
  GroupProducts(Builder &builder, const GroupTiles &tiles, const GroupTiling &tiling, Value *shared)
      : builder(builder), tiles(tiles), tiling(tiling), shared(shared),
        ring(offset(builder, shared, tiles.stages * tiles.stageBytes()), tiles.stages),
        rank(rankOf(builder, tiles)) {
    first = builder.CreateUDiv(blockOf(builder, 0), builder.getInt32(tiles.cluster));
    stride = builder.CreateUDiv(blocksOf(builder, 0), builder.getInt32(tiles.cluster));
  }

  void emit(GroupEpilogue epilogue) {
    Value *warp = warpOf(builder);
    emit::when(builder, builder.CreateICmpEQ(threadOf(builder), builder.getInt32(0)), [&] {
      ring.make(builder, tiles.consumers * warpsOfGroup * tiles.cluster);
      publishMbarriers(builder);
    });
    meet();
    Registers registers = registersOf[tiles.consumers];
    Value *group = builder.CreateLShr(warp, Log2_32(warpsOfGroup));
    emit::choose(
        builder, builder.CreateICmpEQ(group, builder.getInt32(0)),
        [&]() -> Values {
          if (registers.producer)
            shrinkRegisters(builder, registers.producer);
          emit::when(builder, builder.CreateICmpEQ(warp, builder.getInt32(0)),
                     [&] { emit::when(builder, elected(builder), [&] { produce(); }); });
          return {};
        },
        [&]() -> Values {
          if (registers.consumer)
            growRegisters(builder, registers.consumer);
          consume(builder.CreateSub(group, builder.getInt32(1)), epilogue);
          return {};
        });
    // A block's shared memory stays until no other one arrives in it.
    if (tiles.cluster > 1)
      meet();
  }

private:
  /// All threads of the cluster.
  void meet() {
    if (tiles.cluster == 1)
      return barrier(builder);
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cluster_arrive_aligned, {});
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cluster_wait_aligned, {});
  }

  Value *stageAt(Value *stage) const {
    return offset(builder, shared, builder.CreateMul(stage, builder.getInt32(tiles.stageBytes())));
  }
  Value *rightOf(Value *stage) const {
    return offset(builder, stage, tiles.rows() * unsigned(Swizzle::bytes128));
  }
  /// Rows along the depth; or, transposed, of one box, which the others lie behind.
  SharedTile tileOf(Value *base, unsigned wide, bool alongDepth) const {
    return {base, alongDepth ? wide : tiles.depth(), unsigned(Swizzle::bytes128),
            Swizzle::bytes128};
  }

  /// Calls `body` for each of the block's tiles, with what it carries on.
  Values eachTile(ArrayRef<Value *> initial, GroupTiling::Body body) {
    return emit::carryingLoop(
        builder, first, tiling.count, stride, initial,
        [&](Value *tile, ArrayRef<Value *> carried) { return tiling.visit(tile, carried, body); });
  }
  /// Of a term: pieces that are a tile deep.
  Values eachStep(const GroupTerm &term, ArrayRef<Value *> initial,
                  function_ref<Values(Value *, ArrayRef<Value *>)> body) {
    return emit::carryingLoop(builder, term.first, term.end, builder.getInt32(1), initial, body);
  }

  /// One thread asks for all tiles, as far ahead as there are stages.
  void produce() {
    ProducerPlace begin = ring.producer(builder);
    eachTile({begin.stage, begin.parity}, [&](const GroupTile &tile, ArrayRef<Value *> carried) {
      Values state(carried);
      for (const auto &sum : tile.sums)
        for (const GroupTerm &term : sum)
          state = produce(tile, term, state);
      return state;
    });
  }

  Values produce(const GroupTile &tile, const GroupTerm &term, ArrayRef<Value *> carried) {
    return eachStep(term, carried, [&](Value *step, ArrayRef<Value *> carried) -> Values {
      ProducerPlace place = {carried[0], carried[1]};
      ring.waitUntilEmpty(builder, place);
      Mbarrier full = ring.fills(builder, place, tiles.stageBytes());
      Value *stage = stageAt(place.stage);
      Value *deep = builder.CreateMul(step, builder.getInt32(tiles.depth()));
      load(term.left, stage, tiles.rows(), tile.row, deep, full, nullptr);
      loadRight(term.right, rightOf(stage), tile.column, deep, full);
      ProducerPlace next = ring.next(builder, place);
      return {next.stage, next.parity};
    });
  }

  /// A tile of `wide` rows of the matrix, in as many boxes as it takes.
  void load(const GroupSide &side, Value *base, unsigned wide, Value *at, Value *deep,
            Mbarrier full, Value *blocks) {
    SharedTile tile = tileOf(base, wide, side.alongDepth);
    if (side.alongDepth)
      return loadTile(builder, tile, side.map, full, side.at(at, deep), blocks);
    for (unsigned i = 0; i < wide; i += tiles.depth()) {
      tile.base = offset(builder, base, i / tiles.depth() * tile.bytes());
      loadTile(builder, tile, side.map, full,
               side.at(builder.CreateAdd(at, builder.getInt32(i)), deep), blocks);
    }
  }

  /// Each block of a cluster asks for its part of the right side, for all of them.
  void loadRight(const GroupSide &side, Value *base, Value *column, Value *deep, Mbarrier full) {
    unsigned part = tiles.columns / tiles.cluster;
    Value *blocks = tiles.cluster > 1 ? builder.getInt16((1 << tiles.cluster) - 1) : nullptr;
    Value *own = builder.CreateMul(rank, builder.getInt32(part));
    Value *place = builder.CreateMul(own, builder.getInt32(unsigned(Swizzle::bytes128)));
    load(side, offset(builder, base, place), part, builder.CreateAdd(column, own), deep, full,
         blocks);
  }

  void consume(Value *consumer, GroupEpilogue epilogue) {
    ConsumerPlace begin = ring.consumer(builder);
    Value *ownRow = builder.CreateMul(consumer, builder.getInt32(groupRows * tiles.down));
    eachTile({begin.stage, begin.parity}, [&](const GroupTile &tile, ArrayRef<Value *> carried) {
      Values state(carried);
      SmallVector<SmallVector<Accumulators, 1>> all(tiles.down); // by part, then by sum
      for (const auto &sum : tile.sums)
        state = multiply(sum, ownRow, state, all);
      Value *row = builder.CreateAdd(tile.row, ownRow);
      for (auto [part, sums] : enumerate(all))
        epilogue(tile, sums, builder.CreateAdd(row, builder.getInt32(part * groupRows)));
      return state;
    });
  }

  /// One sum of a tile: all its products.
  Values multiply(ArrayRef<GroupTerm> sum, Value *ownRow, ArrayRef<Value *> state,
                  MutableArrayRef<SmallVector<Accumulators, 1>> all) {
    unsigned registers = tiles.columns / 2;
    Values carried(state);
    for (unsigned i = 0; i < tiles.down; ++i) {
      Accumulators zero = Accumulators::zero(builder, tiles.columns);
      append_range(carried, PendingAccumulators::begin(builder, zero).carried());
    }
    // The stage before is released when its products are done, those of this one are under way.
    carried.append({state[0], builder.getFalse()});
    for (const GroupTerm &term : sum)
      carried = eachStep(term, carried, [&](Value *, ArrayRef<Value *> carried) -> Values {
        ConsumerPlace place = {carried[0], carried[1]};
        ring.waitUntilFull(builder, place);
        Values sums = multiplyStage(term, stageAt(place.stage), ownRow,
                                    carried.slice(2, tiles.down * registers));
        waitForReads(builder, 1);
        ArrayRef<Value *> before = carried.take_back(2);
        emit::when(builder, before[1], [&] { release(before[0]); });
        ConsumerPlace next = ring.next(builder, place);
        Values result = {next.stage, next.parity};
        append_range(result, sums);
        result.append({place.stage, builder.getTrue()});
        return result;
      });
    ArrayRef<Value *> done = carried;
    for (unsigned i = 0; i < tiles.down; ++i) {
      all[i].push_back(
          PendingAccumulators::carried(done.slice(2 + i * registers, registers)).wait(builder));
      if (i == 0)
        emit::when(builder, done.back(), [&] { release(done[done.size() - 2]); });
    }
    return {carried[0], carried[1]};
  }

  Values multiplyStage(const GroupTerm &term, Value *stage, Value *ownRow,
                       ArrayRef<Value *> carried) {
    unsigned registers = tiles.columns / 2;
    bool leftTransposed = !term.left.alongDepth, rightTransposed = !term.right.alongDepth;
    SharedTile leftTile = tileOf(stage, tiles.rows(), !leftTransposed);
    SharedTile rightTile = tileOf(rightOf(stage), tiles.columns, !rightTransposed);
    GroupProduct product = {.columns = tiles.columns,
                            .element = tiles.element,
                            .leftTransposed = leftTransposed,
                            .rightTransposed = rightTransposed};
    SmallVector<PendingAccumulators> sums;
    for (unsigned i = 0; i < tiles.down; ++i)
      sums.push_back(PendingAccumulators::carried(carried.slice(i * registers, registers)));
    sums[0].fence(builder);
    for (unsigned deep = 0; deep < tiles.depth(); deep += mmaDepth(tiles.element))
      for (unsigned i = 0; i < tiles.down; ++i) {
        Value *row = builder.CreateAdd(ownRow, builder.getInt32(i * groupRows));
        sums[i].add(builder, product,
                    descriptorOf(builder, leftTile, tiles.element, leftTransposed, row, deep),
                    descriptorOf(builder, rightTile, tiles.element, rightTransposed,
                                 builder.getInt32(0), deep));
      }
    commitProducts(builder);
    Values result;
    for (const PendingAccumulators &each : sums)
      append_range(result, each.carried());
    return result;
  }

  /// By each warp, for its own reads: to all producers that write here.
  void release(Value *stage) {
    ConsumerPlace place = {stage, nullptr};
    emit::when(builder, elected(builder), [&] {
      if (tiles.cluster == 1)
        return ring.release(builder, place);
      for (unsigned block = 0; block < tiles.cluster; ++block)
        ring.releaseAt(builder, place, builder.getInt32(block));
    });
  }

  Builder &builder;
  const GroupTiles &tiles;
  const GroupTiling &tiling;
  Value *shared;
  MbarrierRing ring;
  Value *rank, *first, *stride;
};
} // namespace

Value *rankOf(Builder &builder, const GroupTiles &tiles) {
  return tiles.cluster > 1
             ? builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank, {})
             : static_cast<Value *>(builder.getInt32(0));
}

Raster Raster::of(Builder &builder, const GroupTiles &tiles, Value *tile, Value *down,
                  Value *across) {
  Value *high = builder.getInt32(tiles.rasterRows);
  Value *inBand = builder.CreateMul(high, across);
  Value *band = builder.CreateUDiv(tile, inBand), *in = builder.CreateURem(tile, inBand);
  Value *firstRow = builder.CreateMul(band, high);
  Value *left = builder.CreateSub(down, firstRow);
  Value *rows = builder.CreateSelect(builder.CreateICmpULT(left, high), left, high);
  return {builder.CreateAdd(firstRow, builder.CreateURem(in, rows)), builder.CreateUDiv(in, rows)};
}

void emitGroupProducts(Builder &builder, const GroupTiles &tiles, const GroupTiling &tiling,
                       Value *shared, GroupEpilogue epilogue) {
  GroupProducts(builder, tiles, tiling, shared).emit(epilogue);
}

void emitContraction(Builder &builder, const GroupTiles &tiles, TensorMapArgument left,
                     TensorMapArgument right, const ContractionSizes &sizes, Value *shared,
                     Epilogue epilogue) {
  auto pieces = [&](Value *size, unsigned by) {
    return builder.CreateUDiv(builder.CreateAdd(size, builder.getInt32(by - 1)),
                              builder.getInt32(by));
  };
  Value *down = pieces(sizes.rows, tiles.rows() * tiles.cluster);
  Value *across = pieces(sizes.columns, tiles.columns);
  auto side = [](TensorMapArgument map, bool alongDepth) -> GroupSide {
    return {map, alongDepth, [=](Value *across, Value *deep) -> SmallVector<Value *> {
              return alongDepth ? SmallVector{deep, across} : SmallVector{across, deep};
            }};
  };
  GroupTerm term = {side(left, tiles.leftAlongDepth), side(right, tiles.rightAlongDepth),
                    builder.getInt32(0), pieces(sizes.depth, tiles.depth())};
  Value *rank = rankOf(builder, tiles);
  GroupTiling tiling = {
      builder.CreateMul(down, across),
      [&](Value *number, ArrayRef<Value *> carried, GroupTiling::Body body) {
        Raster at = Raster::of(builder, tiles, number, down, across);
        Value *row =
            builder.CreateAdd(builder.CreateMul(at.row, builder.getInt32(tiles.cluster)), rank);
        GroupTile tile = {builder.CreateMul(row, builder.getInt32(tiles.rows())),
                          builder.CreateMul(at.column, builder.getInt32(tiles.columns)),
                          {{term}}};
        return body(tile, carried);
      }};
  emitGroupProducts(builder, tiles, tiling, shared,
                    [&](const GroupTile &tile, ArrayRef<Accumulators> sums, Value *row) {
                      for (unsigned half = 0; half < 2; ++half)
                        for (unsigned pair = half; pair < sums[0].pairs(); pair += 2) {
                          auto [one, other] = sums[0].pairOf(pair);
                          epilogue(
                              builder, builder.CreateAdd(row, Accumulators::rowOf(builder, pair)),
                              builder.CreateAdd(tile.column, Accumulators::columnOf(builder, pair)),
                              one, other);
                        }
                    });
}

} // namespace weft::gpu
