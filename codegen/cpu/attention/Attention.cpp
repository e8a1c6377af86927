// Attention over blocks of keys with a running maximum and sum; scores never leave scratch.
// Milakov, Gimelshein: arXiv:1805.02867; Dao et al.: arXiv:2205.14135.
#include "codegen/cpu/attention/Attention.h"
#include "codegen/cpu/attention/DotScores.h"
#include "codegen/cpu/attention/GroupedValues.h"
#include "codegen/cpu/attention/RowSoftmax.h"
#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/base/ScratchAreas.h"
#include "codegen/cpu/tiles/AmxTiles.h"
#include "codegen/cpu/tiles/MatrixView.h"
#include "codegen/cpu/tiles/Product.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/MaskBounds.h"
#include "ir/kernel/AttentionForm.h"

#include <numbers>

using namespace llvm;

namespace weft::cpu {

namespace {

class AttentionBuilder {
public:
  AttentionBuilder(Frame frame, kernel::FusedOp op, AttentionAttr schedule,
                   const AttentionForm &form)
      : op(op), frame(frame), form(form), schedule(schedule), taskRows(schedule.getTaskRows()),
        tileRows(schedule.getRows()), keyBlock(schedule.getKeys()), b(frame.builder),
        sharedBuffer(sharedBufferOf(op)), q(frame, op, form.q, {form.batch, form.rows, form.depth}),
        k(frame, op, form.k, {form.batch, form.keys, form.depth}),
        v(frame, op, form.v, {form.batch, form.keys, form.values}),
        scores(frame, op, form, {tileRows, keyBlock, cores(schedule.getTile())}, taskRows),
        products(frame.emission.pairProducts),
        pairs(products != PairProducts::none && q.element().narrow && k.element().narrow),
        weighsPairs((products == PairProducts::words || usesTiles()) && form.narrowWeights &&
                    v.element().narrow),
        tiles(frame.emission) {
    if (pairs)
      scores.factor = form.scale * std::numbers::log2e;
    for (unsigned number : form.output)
      outputs.emplace_back(frame, op, number, Axes{form.batch, form.rows, form.values});
    for (unsigned number : form.lse)
      statistics.emplace_back(frame, op, number, Axes{form.batch, form.rows, {}});
  }

  mlir::LogicalResult check() {
    if (!k.hasWholeGroups() || !v.hasWholeGroups())
      return op.emitOpError("cannot be built: keys or values that share scales have rows that are "
                            "not whole groups");
    return scores.check();
  }

  Value *tasks() { return b.CreateNSWMul(joinable(), ranges); }

  // A task of several ranges of keys leaves its state in the memory that both launches share; a
  // task of the second launch joins the ranges of its queries.
  bool mayJoin() const { return schedule.getSplitKeys() > 0; }
  Value *joins() { return b.CreateSelect(isCut(), joinable(), b.getInt64(0)); }
  Value *sharedBytes() {
    Value *floats = b.CreateNSWMul(tasks(), stateFloats());
    return b.CreateSelect(isCut(), b.CreateNSWMul(floats, b.getInt64(sizeof(float))),
                          b.getInt64(0));
  }

  void readSizes() {
    Value *one = b.getInt64(1);
    batch = frame.extent(form.batch);
    rows = frame.extent(form.rows);
    keys = frame.extent(form.keys);
    depth = frame.extent(form.depth);
    depthStride = roundUp(b, depth, panelWidth);
    valueStride = roundUp(b, frame.extent(form.values), panelWidth);
    Value *fewest = ceilDiv(b, rows, b.getInt64(taskRows));
    Value *most = ceilDiv(b, rows, b.getInt64(tileRows));
    Value *wanted = ceilDiv(b, b.getInt64(schedule.getTasks()), maximum(b, batch, one));
    Value *blocks = maximum(b, maximum(b, fewest, minimum(b, most, wanted)), one);
    rowsPerTask = maximum(b, roundUp(b, ceilDiv(b, rows, blocks), tileRows), one);
    rowBlocks = ceilDiv(b, rows, rowsPerTask);
    ranges = one;
    keysPerRange = keys;
    if (!mayJoin())
      return;
    Value *missing =
        b.CreateUDiv(b.getInt64(schedule.getSplitTasks()), maximum(b, joinable(), one));
    Value *worth = b.CreateUDiv(keys, b.getInt64(schedule.getSplitKeys()));
    Value *parts = maximum(b, minimum(b, missing, worth), one);
    keysPerRange = maximum(b, roundUp(b, ceilDiv(b, keys, parts), panelWidth), one);
    ranges = maximum(b, ceilDiv(b, keys, keysPerRange), one);
  }

  void takeAreas(ScratchAreas &areas) {
    queries = areas.floats(b.CreateNSWMul(depthStride, b.getInt64(taskRows)));
    keyPanels = areas.floats(b.CreateNSWMul(depth, b.getInt64(keyBlock)));
    valueRows = areas.floats(b.CreateNSWMul(valueStride, b.getInt64(keyBlock)));
    scratch.sums = areas.floats(b.CreateNSWMul(valueStride, b.getInt64(taskRows)));
    scratch.maxima = areas.floats(b.getInt64(taskRows));
    scratch.weights = areas.floats(b.getInt64(taskRows));
    scores.takeAreas(areas);
  }

  void emitTask(Value *task) {
    enterQueries(b.CreateUDiv(task, ranges));
    Value *firstKey = b.CreateNSWMul(b.CreateURem(task, ranges), keysPerRange);
    Value *endKey = minimum(b, b.CreateNSWAdd(firstKey, keysPerRange), keys);
    for (MatrixView *view : {&q, &k, &v})
      view->enter(range.batch);
    if (mayJoin()) {
      State kept = stateOf(task);
      state = {b.CreateSelect(isCut(), kept.sums, scratch.sums),
               b.CreateSelect(isCut(), kept.maxima, scratch.maxima),
               b.CreateSelect(isCut(), kept.weights, scratch.weights)};
    }
    inPlace = b.getFalse();
    // A product takes whole panels of values.
    std::optional<int64_t> values = frame.emission.known(sizeOf(form.values));
    if (k.isMatrix() && v.isMatrix() && values && *values % panelWidth == 0)
      inPlace = b.CreateICmpSLE(range.rows, b.getInt64(schedule.getFewRows()));
    readQueries();
    clearState(b, state, range.rows, valueStride);
    if (usesTiles()) // all of one shape: a tile of queries is whole, though only some rows count
      when(b, b.CreateNot(inPlace), [&] {
        tiles.enter(b);
        tiles.shape(b, b.getInt64(amx::rows));
      });
    loop(b, firstKey, endKey, b.getInt64(keyBlock), [&](Value *key) { emitKeys(key, endKey); });
    if (usesTiles())
      when(b, b.CreateNot(inPlace), [&] { tiles.leave(b); });
    if (mayJoin())
      when(b, b.CreateNot(isCut()), [&] { writeResults(); });
    else
      writeResults();
  }

  /// Ranges are joined as blocks of keys are: with weights relative to the highest score of all.
  void emitJoin(Value *task) {
    enterQueries(task);
    clearState(b, state, range.rows, valueStride);
    Value *first = b.CreateNSWMul(task, ranges);
    auto forEachRange = [&](function_ref<void(const State &)> body) {
      loop(b, ranges, [&](Value *i) { body(stateOf(b.CreateNSWAdd(first, i))); });
    };
    forEachRange([&](const State &part) {
      loop(b, range.rows, [&](Value *row) {
        Value *found = load(at(part.maxima, row)), *before = load(at(state.maxima, row));
        b.CreateStore(b.CreateSelect(b.CreateFCmpOGT(found, before), found, before),
                      at(state.maxima, row));
      });
    });
    forEachRange([&](const State &part) {
      loop(b, range.rows, [&](Value *row) { addState(b, state, part, row, valueStride); });
    });
    writeResults();
  }

private:
  /// Where scores are not, their tiles of rows are not those of AMX.
  bool usesTiles() const { return pairs && products == PairProducts::tiles; }
  CoreSet cores(Tile tile) const {
    return {tile, schedule.getUnroll(), schedule.getAccumulators()};
  }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *at(Value *base, Value *index) { return b.CreateInBoundsGEP(b.getFloatTy(), base, index); }

  using State = SoftmaxState;

  Value *load(Value *place) { return b.CreateLoad(b.getFloatTy(), place); }
  /// Tasks whose queries differ, in position of the batch or in row.
  Value *joinable() { return b.CreateNSWMul(batch, rowBlocks); }
  Value *isCut() { return b.CreateICmpSGT(ranges, b.getInt64(1)); }
  /// In whole tiles, for products write these.
  Value *stateRows() {
    const int64_t unit = usesTiles() ? amx::rows : schedule.getValueTile().rows;
    return minimum(b, rowsPerTask, roundUp(b, rows, unit));
  }
  /// Of the state of a task, in whole cache lines.
  Value *stateFloats() {
    Value *ofSums = b.CreateNSWMul(stateRows(), valueStride);
    Value *andMaxima = b.CreateNSWAdd(ofSums, stateRows());
    return roundUp(b, b.CreateNSWAdd(andMaxima, stateRows()), panelWidth);
  }
  State stateOf(Value *task) {
    Value *start = at(frame.buffer(sharedBuffer), b.CreateNSWMul(task, stateFloats()));
    Value *afterSums = at(start, b.CreateNSWMul(stateRows(), valueStride));
    return {start, afterSums, at(afterSums, stateRows())};
  }

  /// Whether the mask shows later queries more keys: the last one sees the key in the middle, and
  /// the first one does not. Not so of a window that is much smaller than the keys, and of a mask
  /// of lengths.
  Value *lateSeeMore() {
    if (!form.mask)
      return b.getFalse();
    Value *zero = b.getInt64(0), *one = b.getInt64(1);
    auto sees = [&](Value *row) {
      Value *middle = b.CreateLShr(keys, one);
      return b.CreateNot(scores.bounds({zero, row, one, middle, one}).never);
    };
    return b.CreateAnd(sees(b.CreateNSWSub(rows, one)), b.CreateNot(sees(zero)));
  }

  /// Queries number `number`: their position of the batch, and their rows. Neighbours share a
  /// position's keys and values. Where late queries see more keys, the last ones come first, of all
  /// positions: the tasks at the end of a launch, which nobody shares, are small.
  void enterQueries(Value *number) {
    Value *last = b.CreateNSWSub(rowBlocks, b.getInt64(1)), *lateFirst = lateSeeMore();
    auto either = [&](Value *yes, Value *no) { return b.CreateSelect(lateFirst, yes, no); };
    Value *position = either(b.CreateURem(number, batch), b.CreateUDiv(number, rowBlocks));
    Value *block =
        either(b.CreateNSWSub(last, b.CreateUDiv(number, batch)), b.CreateURem(number, rowBlocks));
    Value *first = b.CreateNSWMul(block, rowsPerTask);
    range = {position, first, minimum(b, rowsPerTask, b.CreateNSWSub(rows, first)), b.getInt64(0),
             keys};
    for (std::vector<MatrixView> *views : {&outputs, &statistics})
      for (MatrixView &view : *views)
        view.enter(position);
    state = scratch;
  }

  /// Scores are scaled by log2(e), so that softmax takes exp2 in place of exp: queries are, or,
  /// where they stay bfloat16, the products.
  void readQueries() {
    MatrixView::Part part{range.firstRow, range.rows, queries, depthStride};
    if (!pairs)
      return q.read(part, number(form.scale * std::numbers::log2e));
    when(b, inPlace, [&] { q.read(part, number(1)); });
    when(b, b.CreateNot(inPlace), [&] { q.copy(part); });
  }

  /// One block of keys, for all rows of the task.
  void emitKeys(Value *key, Value *endKey) {
    TaskRange block = range;
    block.firstColumn = key;
    block.columns = minimum(b, b.getInt64(keyBlock), b.CreateNSWSub(endKey, key));
    auto readValues = [&] {
      if (weighsPairs)
        v.readPairs(key, block.columns, b.getInt64(keyBlock), valueRows);
      else
        v.read({key, block.columns, valueRows, valueStride}, number(1));
    };
    when(b, b.CreateNot(scores.bounds(block).never), [&] {
      if (v.element().grouped) // widened once for all queries, also for few
        when(b, b.CreateNot(isAlone()), readValues);
      when(b, b.CreateNot(inPlace), [&] {
        k.readPanels(key, block.columns, keyPanels, pairs);
        if (!v.element().grouped)
          readValues();
      });
      scores.enterBlock(block);
      loop(b, b.getInt64(0), range.rows, b.getInt64(tileRows), [&](Value *row) {
        Value *count = minimum(b, b.getInt64(tileRows), b.CreateNSWSub(range.rows, row));
        scores.emitTile(b.CreateNSWAdd(range.firstRow, row), count,
                        [&](const ScoreTile::Part &part) { emitTile(block, row, part); });
      });
    });
  }

  /// A tile of rows and the keys that some of them see.
  void emitTile(const TaskRange &block, Value *row, const ScoreTile::Part &part) {
    emitScores(block, row, part);
    auto weigh = [&](bool narrow) {
      RowSoftmax softmax{b, scores, state, valueStride, narrow};
      loop(b, part.rows, [&](Value *i) { softmax.emit(b.CreateNSWAdd(row, i), i, part); });
    };
    if (weighsPairs) {
      when(b, inPlace, [&] { weigh(false); });
      when(b, b.CreateNot(inPlace), [&] { weigh(true); });
    } else {
      weigh(false);
    }
    addValues(block, row, part);
  }

  /// What the part's keys add to the sums of values.
  void addValues(const TaskRange &block, Value *row, const ScoreTile::Part &part) {
    Product product{};
    product.core = {Core::Left::matrix, Core::Right::matrix, cores(schedule.getValueTile())};
    product.rows = part.rows;
    product.panels = b.CreateUDiv(valueStride, b.getInt64(panelWidth));
    product.k = part.keys;
    product.left = at(scores.area(), part.firstKey);
    product.leftStride = b.getInt64(keyBlock);
    product.out = at(state.sums, b.CreateNSWMul(row, valueStride));
    product.outStride = valueStride;
    product.accumulate = b.getTrue();
    auto multiply = [&](const Values &right, bool narrow) {
      product.core.narrow = narrow;
      product.right = right[0];
      product.rightStride = right[1];
      emitProduct(b, frame.emission, product);
    };
    Value *first = b.CreateNSWAdd(block.firstColumn, part.firstKey);
    Value *copy = at(valueRows, b.CreateNSWMul(part.firstKey, valueStride));
    auto there = [&] { return Values{v.row(first), v.rowStride()}; };
    auto copied = [&] { return Values{copy, valueStride}; };
    if (v.element().grouped) {
      when(b, b.CreateNot(isAlone()), [&] { multiply(copied(), false); });
      when(b, isAlone(), [&] { addGroupedValues(first, row, part); });
      return;
    }
    if (!v.element().narrow)
      return multiply(choose(b, inPlace, there, copied), false);
    when(b, inPlace, [&] { multiply(there(), true); });
    when(b, b.CreateNot(inPlace), [&] {
      if (!weighsPairs)
        return multiply(copied(), false);
      product.core = Core::ofPairs(Core::Left::matrix, cores(schedule.getValueTile()), products);
      takeHalves(b, product, scores.area(), part.firstKey, keyBlock);
      Value *before = b.CreateNSWMul(part.firstKey, b.getInt64(panelWidth));
      product.right = b.CreateInBoundsGEP(b.getInt16Ty(), valueRows, before);
      product.rightStride = b.getInt64(keyBlock * panelWidth);
      emitProduct(b, frame.emission, product);
    });
  }

  /// Whether values that share scales are read where they lie: each is widened for one query.
  Value *isAlone() { return b.CreateAnd(inPlace, b.CreateICmpEQ(range.rows, b.getInt64(1))); }

  void addGroupedValues(Value *first, Value *row, const ScoreTile::Part &part) {
    emitGroupedValues(b, frame.emission,
                      {at(scores.area(), part.firstKey), part.keys, v.row(first), v.rowStride(),
                       v.element(), at(state.sums, b.CreateNSWMul(row, valueStride)),
                       frame.emission.known(sizeOf(form.values)).value_or(0)});
  }

  void emitScores(const TaskRange &block, Value *row, const ScoreTile::Part &part) {
    Value *first = b.CreateNSWMul(row, depthStride);
    when(b, b.CreateNot(inPlace), [&] {
      Type *element = pairs ? b.getInt16Ty() : b.getFloatTy();
      scores.multiply(part, b.CreateInBoundsGEP(element, queries, first), depthStride, keyPanels,
                      depth, scores.area(), pairs ? products : PairProducts::none);
    });
    when(b, inPlace, [&] {
      DotScores dots{};
      dots.queries = at(queries, first);
      dots.queryStride = depthStride;
      dots.rows = part.rows;
      dots.keys = k.row(block.firstColumn);
      dots.keyStride = k.rowStride();
      dots.key = k.element();
      dots.first = part.firstKey;
      dots.end = part.endPanel;
      dots.exist = block.columns;
      dots.depth = depth;
      dots.scores = scores.area();
      dots.scoreStride = b.getInt64(keyBlock);
      emitDotScores(b, frame.emission, dots);
    });
  }

  void writeResults() {
    for (MatrixView &view : outputs)
      view.write({range.firstRow, range.rows, state.sums, valueStride}, /*accumulate=*/false,
                 [&](Value *i) { return factorOfSums(b, state, i); });
    for (MatrixView &view : statistics)
      loop(b, range.rows, [&](Value *i) {
        view.store(logSumExp(b, state, i), b.CreateNSWAdd(range.firstRow, i));
      });
  }

  kernel::FusedOp op;
  Frame frame;
  const AttentionForm &form;
  AttentionAttr schedule;
  // Of a task, and of a tile of its queries; keys of a block.
  int64_t taskRows, tileRows, keyBlock;
  IRBuilderBase &b;
  unsigned sharedBuffer;
  MatrixView q, k, v;
  std::vector<MatrixView> outputs, statistics;
  ScoreTile scores;
  PairProducts products;
  bool pairs, weighsPairs; // products of scores, and of values, are of bfloat16 on both sides
  AmxTiles tiles;
  Value *batch = nullptr, *rows = nullptr, *keys = nullptr, *depth = nullptr; // sizes
  Value *depthStride = nullptr, *valueStride = nullptr, *rowsPerTask = nullptr,
        *rowBlocks = nullptr, *keysPerRange = nullptr, *ranges = nullptr;
  // Areas: queries [row][depth], a block's keys in panels and values [key][value], or in pairs, and
  // a state. That of a task is in the memory of both launches where keys are cut.
  Value *queries = nullptr, *keyPanels = nullptr, *valueRows = nullptr;
  State scratch{}, state{};
  Value *inPlace = nullptr; // i1: keys and values are read where they lie
  TaskRange range{};
};

} // namespace

mlir::FailureOr<KernelFunctions> emitAttention(kernel::FusedOp op, AttentionAttr schedule,
                                               StringRef name, Emission &emission) {
  FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return failure();
  return emitWithAreas<AttentionBuilder>(name, emission, op, schedule, *form);
}

} // namespace weft::cpu
