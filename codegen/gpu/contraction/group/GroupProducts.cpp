// Products of matrices over named dimensions, by wgmma: blocks go from tile to tile, and what is
// made of sums is computed while they lie in shared memory, some columns at a time, so that
// neighbours are stored together.
#include "codegen/gpu/contraction/group/GroupProducts.h"

#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/contraction/Group.h"
#include "codegen/gpu/contraction/PartialSums.h"
#include "codegen/gpu/contraction/TileEpilogue.h"
#include "codegen/gpu/contraction/TileGrid.h"
#include "codegen/gpu/contraction/group/TensorOperands.h"

using namespace llvm;

namespace weft::gpu {

namespace {

GroupTiles tilesOf(cuda::WgmmaAttr schedule) {
  GroupTiles tiles;
  tiles.columns = unsigned(schedule.getColumns());
  tiles.consumers = unsigned(schedule.getConsumers());
  tiles.down = unsigned(schedule.getRows()) / groupRows / tiles.consumers;
  tiles.stages = unsigned(schedule.getStages());
  tiles.cluster = unsigned(schedule.getCluster());
  return tiles;
}

/// What a warp hands from its registers to its lanes: so many rows and columns of each sum.
constexpr unsigned pieceRows = 16, pieceColumns = 32, pitch = 40; // pairs meet no bank twice
constexpr unsigned pieceBytes = pieceRows * pitch * sizeof(float);

class ProductKernel {
public:
  ProductKernel(Frame frame, KernelShell &shell, kernel::FusedOp op, const ContractionForm &form,
                const GroupTiles &tiles, const TensorOperands &operands, const DepthParts &cut,
                ArrayRef<unsigned> alignments)
      : frame(frame), b(frame.builder), shell(shell), op(op), form(form), tiles(tiles),
        operands(operands), cut(cut), alignments(alignments),
        grid(frame, form, tiles.rows() * tiles.cluster, tiles.columns),
        parts(cut.count(frame, form)), rank(rankOf(b, tiles)), shared(dynamicShared(b)) {}

  void emit() {
    GroupTiling tiling = {narrow(b.CreateNSWMul(grid.blocks, parts)),
                          [&](Value *tile, ArrayRef<Value *> carried, GroupTiling::Body body) {
                            return visit(tile, carried, body);
                          }};
    emitGroupProducts(b, tiles, tiling, shared,
                      [&](const GroupTile &tile, ArrayRef<Accumulators> sums, Value *row) {
                        finish(tile, sums, row);
                      });
  }

private:
  Value *narrow(Value *whole) { return b.CreateTrunc(whole, b.getInt32Ty()); }
  Value *wide(Value *number) { return b.CreateZExt(number, b.getInt64Ty()); }

  /// All tiles of a part come before those of the next: what they read is in the cache.
  Values visit(Value *number, ArrayRef<Value *> carried, GroupTiling::Body body) {
    if (cut.isCut()) {
      Value *ofPart = narrow(grid.blocks);
      depthPart = wide(b.CreateUDiv(number, ofPart));
      number = b.CreateURem(number, ofPart);
    }
    Value *down = narrow(grid.rowTiles), *across = narrow(grid.columnTiles);
    Value *each = b.CreateMul(down, across);
    batch = wide(b.CreateUDiv(number, each));
    Raster at = Raster::of(b, tiles, b.CreateURem(number, each), down, across);
    Value *row = b.CreateAdd(b.CreateMul(at.row, b.getInt32(tiles.cluster)), rank);
    return visitFrom(0, b.CreateMul(row, b.getInt32(tiles.rows())), at.column, carried, body);
  }

  /// Of the segments from `number` on the one that has these columns, by tiles.
  Values visitFrom(unsigned number, Value *row, Value *columnTile, ArrayRef<Value *> carried,
                   GroupTiling::Body body) {
    auto own = [&]() -> Values {
      Value *first = number ? narrow(grid.ends[number - 1]) : b.getInt32(0);
      segment = &form.segments[number];
      GroupTile tile = {
          row, b.CreateMul(b.CreateSub(columnTile, first), b.getInt32(tiles.columns)), {}};
      for (const Sum &sum : segment->sums) {
        tile.sums.emplace_back();
        for (const Term &term : sum.terms) {
          auto [begin, end] = cut.steps(frame, term, parts, depthPart);
          tile.sums.back().push_back({side(operands.left(term)),
                                      side(operands.right(*segment, term)), narrow(begin),
                                      narrow(end)});
        }
      }
      return body(tile, carried);
    };
    if (number + 1 == form.segments.size())
      return own();
    return choose(b, b.CreateICmpULT(columnTile, narrow(grid.ends[number])), own,
                  [&] { return visitFrom(number + 1, row, columnTile, carried, body); });
  }

  GroupSide side(unsigned map) {
    return {shell.map(map), operands[map].side.alongDepth,
            [this, map, batch = batch](Value *across, Value *deep) {
              return operands.coordinates(frame, map, batch, across, deep);
            }};
  }

  /// 64 rows of a tile, of which each warp has 16.
  void finish(const GroupTile &tile, ArrayRef<Accumulators> sums, Value *row0) {
    Value *thread = threadOf(b), *lane = b.CreateAnd(thread, lanesOfWarp - 1);
    Value *warp = b.CreateLShr(thread, Log2_32(lanesOfWarp)); // the producer's have no pieces
    Value *own = b.CreateSub(warp, b.getInt32(warpsOfGroup));
    Value *piece = offset(b, offset(b, shared, outgoing(tiles)),
                          b.CreateMul(own, b.getInt32(pieceBytes * unsigned(sums.size()))));
    Value *inGroup = b.CreateAnd(warp, warpsOfGroup - 1);
    Value *firstRow = b.CreateAdd(row0, b.CreateMul(inGroup, b.getInt32(pieceRows)));
    loop(b, b.getInt32(tiles.columns / pieceColumns), [&](Value *part) {
      warpBarrier(b); // what was there has been read
      for (unsigned i = 0; i < tiles.columns / pieceColumns; ++i)
        when(b, b.CreateICmpEQ(part, b.getInt32(i)), [&] {
          for (auto [number, each] : enumerate(sums))
            put(each, i, lane, offset(b, piece, unsigned(number) * pieceBytes));
        });
      warpBarrier(b);
      // A warp reads and writes some rows at a time, each lane elements that stand side by side.
      constexpr unsigned beside = 4, across = pieceColumns / beside, down = lanesOfWarp / across;
      Value *below = b.CreateUDiv(lane, b.getInt32(across));
      Value *first = b.CreateMul(b.CreateURem(lane, b.getInt32(across)), b.getInt32(beside));
      Value *column = b.CreateAdd(tile.column, b.CreateMul(part, b.getInt32(pieceColumns)));
      ThreadTile own = {batch,
                        wide(b.CreateAdd(firstRow, below)),
                        wide(b.CreateAdd(column, first)),
                        down,
                        pieceColumns,
                        pieceRows / down,
                        1,
                        pieceRows / down,
                        beside};
      auto sumsAt = [&](Value *i, Value *j) {
        Value *row = b.CreateAdd(below, b.CreateMul(narrow(i), b.getInt32(down)));
        Values values;
        for (unsigned number = 0; number < sums.size(); ++number)
          values.push_back(b.CreateLoad(b.getFloatTy(), place(offset(b, piece, number * pieceBytes),
                                                              row, b.CreateAdd(first, narrow(j)))));
        return values;
      };
      if (cut.isCut())
        PartialSums(frame, form, shell.scratch(), parts).put(*segment, depthPart, own, sumsAt);
      else
        TileEpilogue(frame, op, form, *segment, alignments).emit(own, sumsAt);
    });
  }

  Value *place(Value *piece, Value *row, Value *column) {
    Value *index = b.CreateAdd(b.CreateMul(row, b.getInt32(pitch)), column);
    return b.CreateInBoundsGEP(b.getFloatTy(), piece, index);
  }

  /// Columns `part` * 32 to the next, pair by pair.
  void put(const Accumulators &sums, unsigned part, Value *lane, Value *piece) {
    constexpr unsigned pairs = pieceColumns / 8 * 2; // of 16 rows and 8 columns a lane has two
    Value *row = b.CreateLShr(lane, 2);
    Value *column = b.CreateShl(b.CreateAnd(lane, 3), 1);
    for (unsigned i = 0; i < pairs; ++i) {
      auto [one, other] = sums.pairOf(part * pairs + i);
      Value *pair = PoisonValue::get(FixedVectorType::get(b.getFloatTy(), 2));
      pair = b.CreateInsertElement(pair, one, uint64_t(0));
      pair = b.CreateInsertElement(pair, other, uint64_t(1));
      Value *at = place(piece, b.CreateAdd(row, b.getInt32(i % 2 * 8)),
                        b.CreateAdd(column, b.getInt32(i / 2 * 8)));
      b.CreateAlignedStore(pair, at, Align(8));
    }
  }

public:
  /// Where what goes to memory lies: behind the stages and their barriers.
  static unsigned outgoing(const GroupTiles &tiles) { return alignTo(tiles.sharedBytes(), 128); }

private:
  Frame frame;
  IRBuilderBase &b;
  KernelShell &shell;
  kernel::FusedOp op;
  const ContractionForm &form;
  const GroupTiles &tiles;
  const TensorOperands &operands;
  DepthParts cut;
  ArrayRef<unsigned> alignments;
  TileGrid grid;
  Value *parts, *rank, *shared;
  // Of the tile that is being emitted.
  const Segment *segment = nullptr;
  Value *batch = nullptr, *depthPart = nullptr;
};

/// As many as there are multiprocessors, where there is work for them: whole clusters.
Value *blocksOf(Frame frame, const ContractionForm &form, const GroupTiles &tiles,
                const DepthParts &cut, cuda::WgmmaAttr schedule) {
  IRBuilderBase &b = frame.builder;
  TileGrid grid(frame, form, tiles.rows() * tiles.cluster, tiles.columns);
  Value *atOnce = b.getInt64(uint64_t(schedule.blocksAtOnce()));
  Value *count = b.CreateNSWMul(grid.blocks, cut.count(frame, form));
  Value *blocks = b.CreateNSWMul(count, b.getInt64(tiles.cluster));
  // Tiles are numbers of 32 bits: of more the launch is refused.
  Value *tooMany = b.CreateICmpSGT(count, b.getInt64(INT32_MAX));
  return b.CreateSelect(tooMany, blocks, b.CreateBinaryIntrinsic(Intrinsic::smin, blocks, atOnce));
}

} // namespace

mlir::FailureOr<std::optional<DeviceKernel>> emitGroupProducts(kernel::FusedOp op,
                                                               cuda::WgmmaAttr schedule,
                                                               StringRef name, Emissions emissions,
                                                               ArrayRef<unsigned> alignments) {
  mlir::FailureOr<ContractionForm> form = contractionInOrder(op);
  if (failed(form))
    return mlir::failure();
  GroupTiles tiles = tilesOf(schedule);
  TensorOperands operands({op, emissions.device.dims}, *form, tiles);
  if (!operands.begin(alignments))
    return std::optional<DeviceKernel>();
  size_t sums = 1;
  for (const Segment &segment : form->segments)
    sums = std::max(sums, segment.sums.size());
  KernelShell shell(op, name, emissions,
                    {.threads = tiles.threads(),
                     .shared = unsigned(schedule.sharedBytes(int64_t(sums))),
                     .cluster = tiles.cluster,
                     .maps = operands.size()});
  DepthParts cut = {schedule.getSplits(), cuda::WgmmaAttr::stageDepth};
  ProductKernel(shell.frame(), shell, op, *form, tiles, operands, cut, alignments).emit();
  shell.describe([&](Frame frame) { return operands.tensors(frame); });
  return std::optional(finishProducts(shell, op, *form, cut, name, emissions, [&](Frame frame) {
    return blocksOf(frame, *form, tiles, cut, schedule);
  }));
}

} // namespace weft::gpu
