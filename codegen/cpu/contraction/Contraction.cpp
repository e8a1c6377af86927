// Contractions with their epilogues: products of matrices over named dimensions.
#include "codegen/cpu/contraction/Contraction.h"
#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/contraction/ContractionBlocking.h"
#include "codegen/cpu/contraction/PairTerms.h"
#include "codegen/cpu/contraction/RightSide.h"
#include "codegen/cpu/contraction/RowsOfRuns.h"
#include "codegen/cpu/tiles/AmxTiles.h"
#include "codegen/cpu/tiles/TileExpression.h"
#include "codegen/emit/Loops.h"
#include "ir/kernel/storage/PairProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// One segment within the kernel function being written.
class SegmentBuilder {
public:
  SegmentBuilder(Frame frame, kernel::FusedOp op, const ContractionForm &form,
                 const Segment &segment, ContractionAttr schedule, PairProducts pairs)
      : frame(frame), op(op), form(form), segment(segment), schedule(schedule),
        tile(schedule.getTile()), fewRows(fewRowsOf(schedule, pairs)), b(frame.builder),
        expression(frame, op, axes(), wanted(), given()), tiles(frame.emission) {
    for (const Sum &sum : segment.sums)
      for (const Term &term : sum.terms) {
        const TermProducts products = productsOf(frame.emission, op, term, pairs);
        lefts.emplace_back(frame, op, form, term, schedule, products);
        rights.emplace_back(frame, op, term, schedule, products);
      }
    for (unsigned result : segment.results) {
      unsigned buffer = op.getNumOperands() + result;
      auto type = cast<model::NamedTensorType>(op.getResult(result).getType());
      auto layout = cast<kernel::LayoutAttr>(op.getLayoutsAttr()[buffer]);
      results.emplace_back(frame, layout, type, buffer, axes());
      results.back().roundAsArithmetic();
    }
  }

  mlir::LogicalResult check() { return expression.check(); }

  int64_t scratchBytes() const {
    int64_t bytes = accumulatorBytes() * segment.sums.size() + tables(expression);
    for (const LeftSide &left : lefts)
      bytes += left.scratchBytes();
    for (const RightSide &right : rights)
      bytes += right.scratchBytes();
    for (const TileAccess &result : results)
      bytes += tables(result);
    return bytes;
  }

  void emitTask(Value *batch, Blocking::Part rows, Blocking::Part panels, Value *scratch) {
    columns = frame.extent(segment.columns);
    Value *allPanels = ceilDiv(b, columns, b.getInt64(panelWidth));
    Value *firstColumn = b.CreateNSWMul(panels.first, b.getInt64(panelWidth));
    Value *rest = b.CreateNSWSub(columns, firstColumn);
    range = {batch, rows.first, rows.count, firstColumn,
             minimum(b, rest, b.CreateNSWMul(panels.count, b.getInt64(panelWidth)))};
    int64_t used = 0;
    auto take = [&](int64_t bytes) {
      Value *place = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, used);
      used += bytes;
      return place;
    };
    rowTiling =
        Tiling(b, range.rows, tile.rows, hasWholeTiles(frame.emission, form.rows, tile.rows));
    enterPanels(panels.count);
    accumulators = take(accumulatorBytes() * segment.sums.size());
    expression.enterTask(range, take(tables(expression)), schedule.getRows(),
                         schedule.getColumns());
    pastCaches = b.getInt1(schedule.getNonTemporal());
    for (TileAccess &result : results) {
      result.enterTask(range, take(tables(result)), schedule.getRows());
      if (schedule.getNonTemporal())
        pastCaches = b.CreateAnd(pastCaches, result.hasWholeLines());
    }

    if (lefts.front().ofTiles())
      tiles.enter(b);
    // Not of the task: results do not depend on how many tasks are done as one.
    isFew = b.CreateICmpSLE(frame.extent(form.rows), b.getInt64(fewRows));
    size_t number = 0;
    for (auto [s, sum] : enumerate(segment.sums))
      for (auto [t, term] : enumerate(sum.terms)) {
        LeftSide &left = lefts[number];
        RightSide &right = rights[number++];
        left.enterTask(range, rowTiling, isFew, take(left.scratchBytes()));
        Value *k = frame.extent(term.k);
        right.enterTask(range, panels.first, allPanels, k, isFew, take(right.scratchBytes()));
        bool last = number == lefts.size();
        emitTerm(left, right, k, s, /*first=*/t == 0, last);
      }
    if (lefts.front().ofTiles())
      tiles.leave(b);
    if (schedule.getNonTemporal())
      fenceNonTemporal(b);
  }

private:
  /// Panels of a task, in tiles of as many as the task's rows leave room for.
  void enterPanels(Value *panels) {
    const Tile few = schedule.getFew();
    std::optional<int64_t> rows = frame.emission.known(sizeOf(form.rows));
    width = b.getInt64(tile.width());
    if (!schedule.hasFew() || (rows && schedule.tileFor(*rows) == tile)) {
      bool whole = hasWholeTiles(frame.emission, segment.columns, tile.width()) &&
                   (tile.panels == 1 || !mayBeOneTile(frame.emission, form.rows, tile.rows));
      panelTiling = Tiling(b, panels, tile.panels, whole);
      return;
    }
    Value *isFew = b.CreateICmpSLE(range.rows, b.getInt64(few.rows));
    width = b.CreateSelect(isFew, b.getInt64(few.width()), width);
    panelTiling =
        Tiling(b, panels, b.CreateSelect(isFew, b.getInt64(few.panels), b.getInt64(tile.panels)));
  }

  Axes axes() const { return {form.batch, form.rows, segment.columns}; }

  SmallVector<mlir::Value> wanted() {
    SmallVector<mlir::Value> values;
    for (unsigned result : segment.results)
      values.push_back(op.getBody().front().getTerminator()->getOperand(result));
    return values;
  }

  SmallVector<mlir::Value> given() {
    SmallVector<mlir::Value> values;
    for (const Sum &sum : segment.sums)
      values.push_back(sum.value);
    return values;
  }

  template <typename T> int64_t tables(const T &user) const {
    return alignTo(user.tableBytes(schedule.getRows(), schedule.getColumns()), cacheLine);
  }

  int64_t accumulatorBytes() const {
    return schedule.getRows() * schedule.getColumns() * sizeof(float);
  }

  /// All products of one term, for every tile of the task; after the last term of all, the
  /// epilogue.
  void emitTerm(LeftSide &left, RightSide &right, Value *k, size_t sum, bool first, bool last) {
    Value *zero = b.getInt64(0), *one = b.getInt64(1);
    // Even blocks; at least one, so that a sum over nothing is written as zero.
    Value *blocks = maximum(b, ceilDiv(b, k, b.getInt64(schedule.getK())), one);
    Value *step = roundUp(b, ceilDiv(b, k, blocks), std::max(left.unit(), right.unit()));
    Value *isWhole = nullptr; // i1: a tile is finished where it is begun
    if (lefts.size() == 1)
      isWhole = b.CreateICmpEQ(blocks, one);
    loop(b, blocks, [&](Value *block) {
      Value *start = minimum(b, b.CreateNSWMul(block, step), k);
      Value *count = minimum(b, step, b.CreateNSWSub(k, start));
      left.enterBlock(start, count);
      right.enterBlock(start, count);
      Value *isLast = b.CreateICmpEQ(block, b.CreateNSWSub(blocks, one));
      Value *accumulate = first ? b.CreateICmpNE(block, zero) : b.getTrue();
      forEachTile(right, left.ofTiles() && !right.widensPanels(), [&](TilePlace place) {
        if (isWhole) // then one place is enough, and it stays in the first cache
          place.number = b.CreateSelect(isWhole, zero, place.number);
        CoreCall call{};
        call.rows = place.rows;
        call.panels = place.panels;
        call.k = count;
        left.place(call, place.row);
        if (left.ofTiles() && right.widensPanels()) // vectors multiply few rows
          when(b, b.CreateNot(isFew), [&] { tiles.shape(b, place.rows); });
        else if (left.ofTiles())
          tiles.shape(b, place.rows);
        call.tile = tileOf(sum, place);
        call.tileStride = width;
        call.accumulate = accumulate;
        if (last)
          when(b, isLast, [&] { prefetchOperands(place); });
        right.multiply(call, left);
        if (last)
          when(b, isLast, [&] { emitEpilogue(place); });
      });
    });
  }

  /// A register tile of the task: rows and panels are counted from the task's first.
  struct TilePlace {
    Value *number, *row, *rows, *panel, *panels;
  };

  /// Panels stay in the first cache while the rows pass by; with tiles of AMX rows do, for panels
  /// come as streams, as they lie.
  void forEachTile(RightSide &right, bool rowsStay, function_ref<void(TilePlace)> body) {
    auto enter = [&](Value *j) {
      TilePlace place{};
      place.panel = panelTiling.start(b, j);
      place.panels = panelTiling.size(b, j);
      right.enterPanels(place.panel, place.panels);
      return place;
    };
    auto visit = [&](TilePlace place, Value *j, Value *i) {
      place.number = b.CreateNSWAdd(b.CreateNSWMul(j, rowTiling.tiles()), i);
      place.row = rowTiling.start(b, i);
      place.rows = rowTiling.size(b, i);
      body(place);
    };
    if (rowsStay) {
      loop(b, rowTiling.tiles(), [&](Value *i) {
        loop(b, panelTiling.tiles(), [&](Value *j) { visit(enter(j), j, i); });
      });
      return;
    }
    loop(b, panelTiling.tiles(), [&](Value *j) {
      TilePlace place = enter(j);
      loop(b, rowTiling.tiles(), [&](Value *i) { visit(place, j, i); });
    });
  }

  Value *tileOf(size_t sum, const TilePlace &place) {
    Value *offset = b.CreateNSWMul(place.number, b.getInt64(tile.rows * tile.width()));
    Value *area =
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), accumulators, accumulatorBytes() * sum);
    return b.CreateInBoundsGEP(b.getFloatTy(), area, offset);
  }

  Value *rowOf(const TilePlace &place, Value *r) {
    return b.CreateNSWAdd(range.firstRow, b.CreateNSWAdd(place.row, r));
  }

  Value *firstColumnOf(const TilePlace &place) {
    return b.CreateNSWAdd(range.firstColumn, b.CreateNSWMul(place.panel, b.getInt64(panelWidth)));
  }

  /// What the epilogue reads comes while the tile's products are computed; so does what it writes,
  /// where these are over sooner than lines come that are to be written.
  void prefetchOperands(const TilePlace &place) {
    loop(b, place.rows, [&](Value *r) {
      Value *row = rowOf(place, r), *first = firstColumnOf(place);
      expression.prefetch(row, first, place.panels, panelWidth);
      if (!lefts.front().ofTiles())
        return;
      Value *last = b.CreateNSWAdd(first, b.CreateNSWSub(width, b.getInt64(1)));
      for (const TileAccess &result : results)
        if (result.hasRuns(panelWidth))
          for (Value *column : {first, last})
            result.prefetch(result.row(row), column, Access::write);
    });
  }

  void emitEpilogue(const TilePlace &place) {
    auto emit = [&](bool past) {
      emitEpilogue(place, past);
      return Values();
    };
    choose(b, pastCaches, [&] { return emit(true); }, [&] { return emit(false); });
  }

  void emitEpilogue(const TilePlace &place, bool past) {
    loop(b, place.rows, [&](Value *r) {
      Value *row = rowOf(place, r);
      expression.enterRow(row);
      Values starts, sums;
      for (const TileAccess &result : results)
        starts.push_back(result.row(row));
      for (size_t s = 0; s < segment.sums.size(); ++s)
        sums.push_back(
            b.CreateInBoundsGEP(b.getFloatTy(), tileOf(s, place), b.CreateNSWMul(r, width)));
      loop(b, place.panels, [&](Value *p) {
        Value *within = b.CreateNSWMul(p, b.getInt64(panelWidth));
        emitColumns(b.CreateNSWAdd(firstColumnOf(place), within), within, sums, starts, past);
      });
    });
  }

  /// The epilogue of the 16 columns from `column` on, or of as many as there are.
  void emitColumns(Value *column, Value *within, ArrayRef<Value *> sums, ArrayRef<Value *> starts,
                   bool past) {
    constexpr unsigned width = panelWidth;
    auto *vector = FixedVectorType::get(b.getFloatTy(), width);
    auto emit = [&](Value *mask) {
      Values loaded;
      for (Value *sum : sums)
        loaded.push_back(b.CreateAlignedLoad(
            vector, b.CreateInBoundsGEP(b.getFloatTy(), sum, within), Align(cacheLine)));
      expression.enterColumns(column, width, mask, loaded);
      for (auto [result, start, value] : zip_equal(results, starts, wanted()))
        result.store(expression.value(value), start, column, width, mask, past);
      return Values();
    };
    if (std::optional<int64_t> known = frame.emission.known(sizeOf(segment.columns));
        known && *known % width == 0) {
      emit(nullptr);
      return;
    }
    Value *rest = b.CreateNSWSub(columns, column);
    choose(
        b, b.CreateICmpSGE(rest, b.getInt64(width)), [&] { return emit(nullptr); },
        [&] { return emit(firstLanes(b, rest, width)); });
  }

  Frame frame;
  kernel::FusedOp op;
  const ContractionForm &form;
  const Segment &segment;
  ContractionAttr schedule;
  Tile tile;
  int64_t fewRows;
  IRBuilderBase &b;
  TileExpression expression;
  AmxTiles tiles;
  std::vector<LeftSide> lefts; // of all terms, in order
  std::vector<RightSide> rights;
  std::vector<TileAccess> results;
  TaskRange range{};
  Tiling rowTiling, panelTiling; // of the task
  Value *pastCaches = nullptr;   // whether its results go there
  Value *columns = nullptr, *accumulators = nullptr, *isFew = nullptr;
  Value *width = nullptr; // columns of a tile: what its rows lie apart
};

} // namespace

mlir::FailureOr<KernelFunctions> emitContraction(kernel::FusedOp op, ContractionAttr schedule,
                                                 StringRef name, Emission &emission) {
  FailureOr<ContractionForm> form = readPlaced(op);
  if (failed(form))
    return failure();
  const PairProducts pairs = pairProductsOf(emission, op);
  if (pairs == PairProducts::tiles)
    schedule = withTiles(schedule);
  Size k = Size::number(0);
  for (const Term &term : form->segments.front().sums.front().terms)
    k = k + sizeOf(term.k);

  KernelShell shell(name, emission);
  Frame frame = shell.frame();
  std::vector<SegmentBuilder> segments;
  int64_t scratch = 0;
  for (const Segment &segment : form->segments) {
    segments.emplace_back(frame, op, *form, segment, schedule, pairs);
    if (failed(segments.back().check()))
      return shell.abandon();
    scratch = std::max(scratch, segments.back().scratchBytes());
  }
  const bool packs = kernel::packsWithin(op);
  Blocking blocking(frame, *form, schedule, k, packs);
  shell.emitRanges([&](Value *task) {
    IRBuilderBase &b = frame.builder;
    Value *batch = blocking.batchOf(task), *block = blocking.columnBlockOf(task);
    Value *end = blocking.endOfTogether(task, shell.end());
    Blocking::Part rows = blocking.rowsOf(task, end);
    for (auto [number, segment] : enumerate(segments)) {
      auto emit = [&] {
        segment.emitTask(batch, rows, blocking.panelsOf(number, block), shell.scratch());
      };
      if (segments.size() == 1) {
        emit();
        continue;
      }
      Value *from = b.CreateICmpSGE(block, blocking.firstBlock(number));
      when(b, b.CreateAnd(from, b.CreateICmpSLT(block, blocking.endBlock(number))), emit);
    }
    return end;
  });
  KernelFunctions functions = shell.finish(
      [&](Frame counting) { return Blocking(counting, *form, schedule, k, packs).tasks(); },
      [&](Frame counting) { return counting.builder.getInt64(scratch); });
  // Of more rows weights that share scales are multiplied in another order.
  Tile together = schedule.getTile();
  if (kernel::multipliesScaledPairs(op))
    together.rows = fewRowsOf(schedule, pairs);
  functions.rows = emitRowsOfRuns(op, *form, together, functions, name, emission);
  return functions;
}

} // namespace weft::cpu
