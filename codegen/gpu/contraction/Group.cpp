// Producer and consumers, and the order of tiles.
#include "codegen/gpu/contraction/Group.h"

#include "codegen/emit/Loops.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

std::pair<unsigned, unsigned> GroupTiles::leftBox() const {
  return {depth(), leftAlongDepth ? rows() : depth()};
}

std::pair<unsigned, unsigned> GroupTiles::rightBox() const {
  return {depth(), rightAlongDepth ? columns / cluster : depth()};
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

class GroupContraction {
public:
  GroupContraction(Builder &builder, const GroupTiles &tiles, TensorMapArgument left,
                   TensorMapArgument right, const ContractionSizes &sizes, Value *shared)
      : builder(builder), tiles(tiles), left(left), right(right), shared(shared),
        ring(offset(builder, shared, tiles.stages * tiles.stageBytes()), tiles.stages) {
    auto pieces = [&](Value *size, unsigned by) {
      return builder.CreateUDiv(builder.CreateAdd(size, builder.getInt32(by - 1)),
                                builder.getInt32(by));
    };
    // Tiles one below the other, of all blocks of a cluster, count as one.
    tilesDown = pieces(sizes.rows, tiles.rows() * tiles.cluster);
    tilesAcross = pieces(sizes.columns, tiles.columns);
    steps = pieces(sizes.depth, tiles.depth());
    rank = tiles.cluster > 1
               ? builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank, {})
               : static_cast<Value *>(builder.getInt32(0));
    first = builder.CreateUDiv(blockOf(builder, 0), builder.getInt32(tiles.cluster));
    stride = builder.CreateUDiv(blocksOf(builder, 0), builder.getInt32(tiles.cluster));
  }

  void emit(Epilogue epilogue) {
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

  struct Corner {
    Value *row, *column;
  };
  /// Tiles come in bands of some rows of them, which go column by column: what is read twice is
  /// still in the cache.
  Corner cornerOf(Value *tile) const {
    Value *high = builder.getInt32(tiles.rasterRows);
    Value *inBand = builder.CreateMul(high, tilesAcross);
    Value *band = builder.CreateUDiv(tile, inBand), *in = builder.CreateURem(tile, inBand);
    Value *firstRow = builder.CreateMul(band, high);
    Value *left = builder.CreateSub(tilesDown, firstRow);
    Value *rows = builder.CreateSelect(builder.CreateICmpULT(left, high), left, high);
    Value *row = builder.CreateAdd(firstRow, builder.CreateURem(in, rows));
    row = builder.CreateAdd(builder.CreateMul(row, builder.getInt32(tiles.cluster)), rank);
    return {builder.CreateMul(row, builder.getInt32(tiles.rows())),
            builder.CreateMul(builder.CreateUDiv(in, rows), builder.getInt32(tiles.columns))};
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
  Values eachTile(ArrayRef<Value *> initial, function_ref<Values(Corner, ArrayRef<Value *>)> body) {
    return emit::carryingLoop(
        builder, first, builder.CreateMul(tilesDown, tilesAcross), stride, initial,
        [&](Value *tile, ArrayRef<Value *> carried) { return body(cornerOf(tile), carried); });
  }
  Values eachStep(ArrayRef<Value *> initial,
                  function_ref<Values(Value *, ArrayRef<Value *>)> body) {
    return emit::carryingLoop(builder, builder.getInt32(0), steps, builder.getInt32(1), initial,
                              body);
  }

  /// One thread asks for all tiles, as far ahead as there are stages.
  void produce() {
    ProducerPlace begin = ring.producer(builder);
    eachTile({begin.stage, begin.parity}, [&](Corner corner, ArrayRef<Value *> carried) {
      return eachStep(carried, [&](Value *step, ArrayRef<Value *> carried) -> Values {
        ProducerPlace place = {carried[0], carried[1]};
        ring.waitUntilEmpty(builder, place);
        Mbarrier full = ring.fills(builder, place, tiles.stageBytes());
        Value *stage = stageAt(place.stage);
        Value *deep = builder.CreateMul(step, builder.getInt32(tiles.depth()));
        load(left, stage, tiles.rows(), tiles.leftAlongDepth, corner.row, deep, full, nullptr);
        loadRight(rightOf(stage), corner.column, deep, full);
        ProducerPlace next = ring.next(builder, place);
        return {next.stage, next.parity};
      });
    });
  }

  /// A tile of `wide` rows of the matrix, in as many boxes as it takes.
  void load(TensorMapArgument map, Value *base, unsigned wide, bool alongDepth, Value *at,
            Value *deep, Mbarrier full, Value *blocks) {
    SharedTile tile = tileOf(base, wide, alongDepth);
    if (alongDepth)
      return loadTile(builder, tile, map, full, {deep, at}, blocks);
    for (unsigned i = 0; i < wide; i += tiles.depth()) {
      tile.base = offset(builder, base, i / tiles.depth() * tile.bytes());
      loadTile(builder, tile, map, full, {builder.CreateAdd(at, builder.getInt32(i)), deep},
               blocks);
    }
  }

  /// Each block of a cluster asks for its part of the right side, for all of them.
  void loadRight(Value *base, Value *column, Value *deep, Mbarrier full) {
    unsigned part = tiles.columns / tiles.cluster;
    Value *blocks = tiles.cluster > 1 ? builder.getInt16((1 << tiles.cluster) - 1) : nullptr;
    Value *own = builder.CreateMul(rank, builder.getInt32(part));
    Value *place = builder.CreateMul(own, builder.getInt32(unsigned(Swizzle::bytes128)));
    load(right, offset(builder, base, place), part, tiles.rightAlongDepth,
         builder.CreateAdd(column, own), deep, full, blocks);
  }

  void consume(Value *consumer, Epilogue epilogue) {
    ConsumerPlace begin = ring.consumer(builder);
    Value *ownRow = builder.CreateMul(consumer, builder.getInt32(groupRows * tiles.down));
    eachTile({begin.stage, begin.parity}, [&](Corner corner, ArrayRef<Value *> carried) -> Values {
      unsigned registers = tiles.columns / 2;
      Values initial(carried);
      for (unsigned i = 0; i < tiles.down; ++i) {
        Accumulators zero = Accumulators::zero(builder, tiles.columns);
        append_range(initial, PendingAccumulators::begin(builder, zero).carried());
      }
      // The stage before is released when its products are done, those of this one are under way.
      initial.append({begin.stage, builder.getFalse()});
      Values done = eachStep(initial, [&](Value *, ArrayRef<Value *> carried) -> Values {
        ConsumerPlace place = {carried[0], carried[1]};
        ring.waitUntilFull(builder, place);
        Values sums =
            multiplyStage(stageAt(place.stage), ownRow, carried.slice(2, tiles.down * registers));
        waitForReads(builder, 1);
        ArrayRef<Value *> before = carried.take_back(2);
        emit::when(builder, before[1], [&] { release(before[0]); });
        ConsumerPlace next = ring.next(builder, place);
        Values result = {next.stage, next.parity};
        append_range(result, sums);
        result.append({place.stage, builder.getTrue()});
        return result;
      });
      ArrayRef<Value *> all = done;
      for (unsigned i = 0; i < tiles.down; ++i) {
        Accumulators sums =
            PendingAccumulators::carried(all.slice(2 + i * registers, registers)).wait(builder);
        if (i == 0)
          emit::when(builder, all.back(), [&] { release(all[all.size() - 2]); });
        store(sums,
              builder.CreateAdd(builder.CreateAdd(corner.row, ownRow),
                                builder.getInt32(i * groupRows)),
              corner.column, epilogue);
      }
      return {done[0], done[1]};
    });
  }

  Values multiplyStage(Value *stage, Value *ownRow, ArrayRef<Value *> carried) {
    unsigned registers = tiles.columns / 2;
    SharedTile leftTile = tileOf(stage, tiles.rows(), tiles.leftAlongDepth);
    SharedTile rightTile = tileOf(rightOf(stage), tiles.columns, tiles.rightAlongDepth);
    GroupProduct product = {.columns = tiles.columns,
                            .element = tiles.element,
                            .leftTransposed = !tiles.leftAlongDepth,
                            .rightTransposed = !tiles.rightAlongDepth};
    SmallVector<PendingAccumulators> sums;
    for (unsigned i = 0; i < tiles.down; ++i)
      sums.push_back(PendingAccumulators::carried(carried.slice(i * registers, registers)));
    sums[0].fence(builder);
    for (unsigned deep = 0; deep < tiles.depth(); deep += mmaDepth(tiles.element))
      for (unsigned i = 0; i < tiles.down; ++i) {
        Value *row = builder.CreateAdd(ownRow, builder.getInt32(i * groupRows));
        sums[i].add(
            builder, product,
            descriptorOf(builder, leftTile, tiles.element, !tiles.leftAlongDepth, row, deep),
            descriptorOf(builder, rightTile, tiles.element, !tiles.rightAlongDepth,
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

  void store(const Accumulators &sums, Value *row, Value *column, Epilogue epilogue) {
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned pair = half; pair < sums.pairs(); pair += 2) {
        auto [one, other] = sums.pairOf(pair);
        epilogue(builder, builder.CreateAdd(row, Accumulators::rowOf(builder, pair)),
                 builder.CreateAdd(column, Accumulators::columnOf(builder, pair)), one, other);
      }
  }

  Builder &builder;
  const GroupTiles &tiles;
  TensorMapArgument left, right;
  Value *shared;
  MbarrierRing ring;
  Value *tilesDown, *tilesAcross, *steps, *rank, *first, *stride;
};
} // namespace

void emitContraction(Builder &builder, const GroupTiles &tiles, TensorMapArgument left,
                     TensorMapArgument right, const ContractionSizes &sizes, Value *shared,
                     Epilogue epilogue) {
  GroupContraction(builder, tiles, left, right, sizes, shared).emit(epilogue);
}

} // namespace weft::gpu
