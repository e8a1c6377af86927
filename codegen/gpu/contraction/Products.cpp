// Products of matrices over named dimensions, by mma.sync: a block computes a tile of the result,
// which goes through shared memory to what is computed of it, so that neighbours are stored
// together.
#include "codegen/gpu/contraction/Products.h"

#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/contraction/Mma.h"
#include "codegen/gpu/contraction/PartialSums.h"
#include "codegen/gpu/contraction/Pieces.h"
#include "codegen/gpu/contraction/TileEpilogue.h"
#include "codegen/gpu/contraction/TileGrid.h"

using namespace llvm;

namespace weft::gpu {

namespace {

MmaTiles tilesOf(cuda::MmaAttr schedule, kernel::Factors factors) {
  MmaTiles tiles;
  tiles.element = factors == kernel::Factors::tf32 ? Element::tf32 : Element::bfloat16;
  tiles.rows = unsigned(schedule.getRows());
  tiles.columns = unsigned(schedule.getColumns());
  tiles.depth = unsigned(schedule.getDepth());
  tiles.warpsDown = unsigned(schedule.getWarpsDown());
  tiles.warpsAcross = unsigned(schedule.getWarpsAcross());
  tiles.stages = unsigned(schedule.getStages());
  return tiles;
}

/// Rows of a tile's sums as they lie in shared memory, some at a time.
struct SumRows {
  MmaTiles tiles;
  unsigned sums; ///< of each element

  /// Floats from row to row: pairs that a warp stores meet no bank twice.
  unsigned pitch() const { return tiles.columns + 8; }
  /// As many as the ring has memory for, but those of a product, and one for each thread at least.
  unsigned together() const {
    unsigned rows = tiles.rows, least = std::max(mmaRows, tiles.threads() / tiles.columns);
    while (rows > least && bytesOf(rows) > tiles.sharedBytes())
      rows /= 2;
    return rows;
  }
  unsigned bytes() const { return bytesOf(together()); }
  unsigned bytesOf(unsigned rows) const { return sums * rows * pitch() * unsigned(sizeof(float)); }
};

class ProductKernel {
public:
  ProductKernel(KernelShell &shell, kernel::FusedOp op, const ContractionForm &form,
                const MmaTiles &tiles, const DepthParts &cut, ArrayRef<unsigned> alignments)
      : frame(shell.frame()), b(frame.builder), op(op), form(form), tiles(tiles), cut(cut),
        alignments(alignments), scratch(shell.scratch()),
        grid(frame, form, tiles.rows, tiles.columns), parts(cut.count(frame, form)),
        shared(dynamicShared(b)) {}

  void emit() {
    Value *block = b.CreateZExt(blockOf(b, 0), b.getInt64Ty());
    if (cut.isCut()) {
      depthPart = b.CreateUDiv(block, grid.blocks);
      block = b.CreateURem(block, grid.blocks);
    }
    grid.emit(b, form, block,
              [&](const Segment &segment, Value *batch, Value *rowTile, Value *columnTile) {
                emitSegment(segment, batch, b.CreateNSWMul(rowTile, b.getInt64(tiles.rows)),
                            b.CreateNSWMul(columnTile, b.getInt64(tiles.columns)));
              });
  }

  static unsigned sharedBytes(const ContractionForm &form, const MmaTiles &tiles) {
    unsigned most = tiles.sharedBytes();
    for (const Segment &segment : form.segments)
      most = std::max(most, SumRows{tiles, unsigned(segment.sums.size())}.bytes());
    return most;
  }

private:
  void emitSegment(const Segment &segment, Value *batch, Value *row0, Value *column0) {
    MmaTile tile(b, tiles, {row0, column0, frame.extent(form.rows), frame.extent(segment.columns)},
                 shared);
    SmallVector<Values> sums;
    bool isFirst = true;
    for (const Sum &sum : segment.sums) {
      Values each = tile.zero();
      for (const Term &term : sum.terms) {
        if (!isFirst)
          barrier(b); // the ring's stages have been read
        isFirst = false;
        Side left = side(term.left(), batch, form.rows, term.k, tiles.rows);
        Side right = side(term.right(), batch, segment.columns, term.k, tiles.columns);
        auto [begin, end] = cut.steps(frame, term, parts, depthPart);
        each = tile.multiply(left, right, {frame.extent(term.k), begin, end}, each);
      }
      sums.push_back(each);
    }
    finish(segment, tile, sums, batch, row0, column0);
  }

  Side side(mlir::Value value, Value *batch, ArrayRef<DimAttr> across, ArrayRef<DimAttr> depth,
            unsigned tile) {
    unsigned number = cast<mlir::BlockArgument>(value).getArgNumber();
    auto layout = cast<LayoutAttr>(op.getLayoutsAttr()[number]);
    auto walk = [&](ArrayRef<DimAttr> dims) { return walkOver(frame.emission.dims, layout, dims); };
    Stored element(b.getContext(), model::typeOf(value), layout);
    const unsigned bytes = bytesOf(tiles.element);
    unsigned alignment = number < alignments.size() ? alignments[number] : bytes;
    Pieces pieces = piecesOf(walk(form.batch), walk(across), walk(depth), bytes, alignment);
    auto offsets = [&](ArrayRef<DimAttr> dims) -> Side::Offset {
      return [this, walk = walk(dims)](Value *index) {
        return frame.emission.offset(b, walk, index, frame.sizes);
      };
    };
    auto divides = [&](ArrayRef<DimAttr> dims, int64_t by) {
      std::optional<int64_t> count = frame.emission.known(sizeOf(dims));
      return count && *count % by == 0;
    };
    Value *start =
        b.CreateInBoundsGEP(element.memory, frame.buffer(number), offsets(form.batch)(batch));
    return {b.CreateAddrSpaceCast(start, b.getPtrTy(globalSpace)),
            pieces.alongDepth,
            pieces.elements * bytes,
            offsets(across),
            offsets(depth),
            divides(across, tile),
            divides(depth, tiles.depth)};
  }

  /// A few rows of the tile after the other: the sums of all threads, then of each element what the
  /// kernel makes of it, in the order in which columns lie.
  void finish(const Segment &segment, const MmaTile &tile, ArrayRef<Values> sums, Value *batch,
              Value *row0, Value *column0) {
    SumRows rows{tiles, unsigned(sums.size())};
    unsigned together = rows.together(), threads = tiles.threads();
    unsigned across = std::min(tiles.columns, threads), down = threads / across;
    Value *thread = b.CreateZExt(threadOf(b), b.getInt64Ty());
    Value *beside = b.CreateURem(thread, b.getInt64(across));
    Value *below = b.CreateUDiv(thread, b.getInt64(across));
    loop(b, b.getInt32(tiles.rows / together), [&](Value *part) {
      barrier(b); // what was there has been read
      Value *first = b.CreateMul(part, b.getInt32(together));
      for (auto [number, each] : enumerate(sums))
        put(tile, each, first, rows, number);
      barrier(b);
      Value *firstRow = b.CreateZExt(first, b.getInt64Ty());
      ThreadTile own = {batch,
                        b.CreateNSWAdd(b.CreateNSWAdd(row0, firstRow), below),
                        b.CreateNSWAdd(column0, beside),
                        down,
                        across,
                        together / down,
                        tiles.columns / across,
                        atOnce(together / down)};
      auto sumsAt = [&](Value *i, Value *j) {
        Value *row = b.CreateAdd(below, b.CreateMul(i, b.getInt64(down)));
        Value *column = b.CreateAdd(beside, b.CreateMul(j, b.getInt64(across)));
        return take(row, column, rows);
      };
      if (cut.isCut())
        PartialSums(frame, form, scratch, parts).put(segment, depthPart, own, sumsAt);
      else
        TileEpilogue(frame, op, form, segment).emit(own, sumsAt);
    });
  }

  /// A float of sum `number`, by its row of those that are there (i32).
  Value *place(Value *row, Value *column, const SumRows &rows, unsigned number) {
    Value *index =
        b.CreateAdd(b.CreateMul(row, ConstantInt::get(row->getType(), rows.pitch())), column);
    index = b.CreateAdd(index,
                        ConstantInt::get(row->getType(), number * rows.together() * rows.pitch()));
    return b.CreateInBoundsGEP(b.getFloatTy(), shared, index);
  }

  void put(const MmaTile &tile, ArrayRef<Value *> sums, Value *first, const SumRows &rows,
           unsigned number) {
    tile.each(
        sums,
        [&](Value *row, function_ref<void()> body) {
          Value *local = b.CreateSub(row, first);
          when(b, b.CreateICmpULT(local, b.getInt32(rows.together())), body);
        },
        [&](Value *row, Value *column, Value *one, Value *other) {
          Value *pair = PoisonValue::get(FixedVectorType::get(b.getFloatTy(), 2));
          pair = b.CreateInsertElement(pair, one, uint64_t(0));
          pair = b.CreateInsertElement(pair, other, uint64_t(1));
          b.CreateAlignedStore(pair, place(b.CreateSub(row, first), column, rows, number),
                               Align(8));
        });
  }

  Values take(Value *row, Value *column, const SumRows &rows) {
    Values values;
    for (unsigned number = 0; number < rows.sums; ++number)
      values.push_back(b.CreateLoad(b.getFloatTy(), place(row, column, rows, number)));
    return values;
  }

  Frame frame;
  IRBuilderBase &b;
  kernel::FusedOp op;
  const ContractionForm &form;
  MmaTiles tiles;
  DepthParts cut;
  ArrayRef<unsigned> alignments;
  Value *scratch;
  TileGrid grid;
  Value *parts, *depthPart = nullptr, *shared;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitProducts(kernel::FusedOp op, cuda::MmaAttr schedule,
                                           StringRef name, Emissions emissions,
                                           ArrayRef<unsigned> alignments) {
  mlir::FailureOr<ContractionForm> form = contractionInOrder(op);
  if (failed(form))
    return mlir::failure();
  MmaTiles tiles = tilesOf(schedule, kernel::factorsOf(op, *form));
  KernelShell shell(op, name, emissions,
                    {.threads = tiles.threads(),
                     .shared = ProductKernel::sharedBytes(*form, tiles),
                     .resident = 0});
  DepthParts cut = {schedule.getSplits(), schedule.getDepth()};
  ProductKernel(shell, op, *form, tiles, cut, alignments).emit();
  return finishProducts(shell, op, *form, cut, name, emissions, [&](Frame frame) {
    return frame.builder.CreateNSWMul(TileGrid(frame, *form, tiles.rows, tiles.columns).blocks,
                                      cut.count(frame, *form));
  });
}

} // namespace weft::gpu
