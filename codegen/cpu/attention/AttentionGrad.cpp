// The gradient of attention: weights are recomputed from the logsumexp, block by block (Dao et al.:
// arXiv:2205.14135, appendix B). A task is a position of the batch, or some blocks of its keys;
// then it adds to gradients of queries of its own, which a second launch adds up.
#include "codegen/cpu/attention/Attention.h"
#include "codegen/cpu/attention/GradientProducts.h"
#include "codegen/cpu/attention/GradientSides.h"
#include "codegen/cpu/attention/RowStatistics.h"
#include "codegen/cpu/attention/ScoreGradients.h"
#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/base/ScratchAreas.h"
#include "codegen/cpu/tiles/MatrixView.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/math/VectorMath.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/storage/PairedPanels.h"

#include <numbers>

using namespace llvm;

namespace weft::cpu {

namespace {

class GradientBuilder {
public:
  GradientBuilder(Frame frame, kernel::FusedOp op, AttentionGradAttr schedule,
                  const AttentionForm &form)
      : frame(frame), op(op), form(form), schedule(schedule), tileRows(schedule.getRows()),
        keyBlock(schedule.getKeys()), b(frame.builder),
        sides(frame, op, form, schedule, factorOfScores()),
        output(frame, op, form.output.front(), {form.batch, form.rows, form.values}),
        lse(frame, op, form.lse.front(), {form.batch, form.rows, {}}),
        scores(frame, op, form, {tileRows, keyBlock, cores(schedule.getTile())}, tileRows) {
    if (sides.scoresArePairs)
      scores.factor = factorOfScores();
    for (unsigned number : form.dq)
      dq.emplace_back(frame, op, number, Axes{form.batch, form.rows, form.depth});
    for (unsigned number : form.dk)
      dk.emplace_back(frame, op, number, Axes{form.batch, form.keys, form.depth});
    for (unsigned number : form.dv)
      dv.emplace_back(frame, op, number, Axes{form.batch, form.keys, form.values});
    for (unsigned number : form.dbias)
      dbias.emplace_back(frame, op, number, form);
  }

  mlir::LogicalResult check() { return scores.check(); }

  Value *tasks() { return b.CreateNSWMul(frame.extent(form.shared), parts); }

  bool mayCut() const { return schedule.getSplitKeys() > 0; }
  bool mayJoin() const { return mayCut() && !dq.empty(); }
  Value *joins() {
    return b.CreateSelect(isCut(), b.CreateNSWMul(frame.extent(form.shared), tiles()),
                          b.getInt64(0));
  }
  Value *sharedBytes() {
    Value *bytes = b.CreateNSWMul(b.CreateNSWMul(tasks(), partFloats()), b.getInt64(sizeof(float)));
    return b.CreateSelect(isCut(), bytes, b.getInt64(0));
  }

  void readSizes() {
    rows = frame.extent(form.rows);
    keys = frame.extent(form.keys);
    depth = frame.extent(form.depth);
    values = frame.extent(form.values);
    depthStride = roundUp(b, depth, panelWidth);
    valueStride = roundUp(b, values, panelWidth);
    parts = b.getInt64(1);
    if (!mayCut())
      return;
    Value *positions = maximum(b, frame.extent(form.shared), parts);
    Value *missing = b.CreateUDiv(b.getInt64(schedule.getSplitTasks()), positions);
    Value *worth = b.CreateUDiv(keys, b.getInt64(schedule.getSplitKeys()));
    parts = maximum(b, minimum(b, missing, worth), parts);
  }

  void takeAreas(ScratchAreas &areas) {
    Value *allRows = roundUp(b, rows, tileRows);
    auto take = [&](Value *rows, Value *stride) {
      return areas.floats(b.CreateNSWMul(rows, stride));
    };
    Value *block = b.getInt64(keyBlock), *tile = b.getInt64(tileRows);
    queryGradients = ownQueryGradients = take(allRows, depthStride);
    sides.takeAreas(areas, {rows, allRows, depth, depthStride, values, valueStride});
    outputRows = take(tile, valueStride);
    shifts = areas.floats(allRows);
    rests = areas.floats(allRows);
    products = areas.floats(allRows);
    keyGradients = take(block, depthStride);
    valueGradients = take(block, valueStride);
    weightGradients = take(block, tile);
    if (sides.weightsArePairs)
      pairsOfGradients = take(block, b.getInt64(tileRows / kernel::rowsOfPair));
    scores.takeAreas(areas);
    for (BiasGradient &each : dbias)
      each.takeArea(areas, tileRows, keyBlock);
  }

  void emitTask(Value *task) {
    clearResults(task);
    Value *none = b.getInt64(0);
    if (!mayCut()) {
      Value *count = frame.extent(form.summed);
      loop(b, count,
           [&](Value *i) { emitPosition(b.CreateNSWAdd(b.CreateNSWMul(task, count), i), none); });
      return;
    }
    if (mayJoin())
      queryGradients = b.CreateSelect(isCut(), partOf(task), ownQueryGradients);
    emitPosition(b.CreateUDiv(task, parts), b.CreateURem(task, parts));
  }

  /// A tile of gradients of queries: what the parts have given, in their order.
  void emitJoin(Value *task) {
    Value *position = b.CreateUDiv(task, tiles()), *tile = b.getInt64(tileRows);
    Value *row = b.CreateNSWMul(b.CreateURem(task, tiles()), tile);
    Value *count = minimum(b, tile, b.CreateNSWSub(rows, row));
    Value *from = rowAt(partOf(b.CreateNSWMul(position, parts)), row, depthStride);
    for (MatrixView &view : dq)
      view.enter(position);
    loop(b, b.getInt64(0), b.CreateNSWMul(count, depthStride), b.getInt64(panelWidth),
         [&](Value *i) {
           Values sum =
               carryingLoop(b, b.getInt64(1), parts, b.getInt64(1), {line(at(from, i))},
                            [&](Value *part, ArrayRef<Value *> carried) {
                              Value *place = b.CreateNSWAdd(b.CreateNSWMul(part, partFloats()), i);
                              return Values{b.CreateFAdd(carried[0], line(at(from, place)))};
                            });
           b.CreateAlignedStore(sum[0], at(ownQueryGradients, i), Align(4));
         });
    writeTo(dq, {row, count, ownQueryGradients, depthStride}, queryFactor());
  }

private:
  CoreSet cores(Tile tile) const {
    return {tile, schedule.getUnroll(), schedule.getAccumulators()};
  }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *at(Value *base, Value *index) { return b.CreateInBoundsGEP(b.getFloatTy(), base, index); }
  Value *rowAt(Value *base, Value *row, Value *stride) {
    return at(base, b.CreateNSWMul(row, stride));
  }
  Type *lineType() { return FixedVectorType::get(b.getFloatTy(), panelWidth); }
  Value *line(Value *place) { return b.CreateAlignedLoad(lineType(), place, Align(4)); }

  Value *isCut() { return b.CreateICmpSGT(parts, b.getInt64(1)); }
  Value *tiles() { return ceilDiv(b, rows, b.getInt64(tileRows)); }
  /// Gradients of queries of one task, in the memory that both launches share; in whole tiles, for
  /// products write these.
  Value *partFloats() {
    return b.CreateNSWMul(roundUp(b, rows, schedule.getDepthTile().rows), depthStride);
  }
  Value *partOf(Value *task) {
    Value *shared = frame.buffer(sharedBufferOf(op));
    return at(shared, b.CreateNSWMul(task, partFloats()));
  }
  /// Scores are scaled by log2(e), as in the forward pass.
  double factorOfScores() const { return form.scale * std::numbers::log2e; }
  /// weightGradients hold ln 2 times the gradients of products: log2(e) undoes the ln 2.
  double queryFactor() const { return factorOfScores(); }

  /// Those that are added up where they are stored.
  void clearResults(Value *task) {
    auto clear = [&](ArrayRef<unsigned> results, const DimList &columns) {
      for (unsigned result : results)
        clearResult(frame, op, result, form.shared, columns, task);
    };
    clear(form.dbias, form.keys);
    if (form.summed.empty())
      return;
    clear(form.dq, form.depth);
    clear(form.dk, form.depth);
    clear(form.dv, form.values);
  }

  /// All keys of a position, or part `part` of them: blocks are dealt out in turn, for a mask may
  /// leave less to do the later a key is.
  void emitPosition(Value *position, Value *part) {
    range = {position, b.getInt64(0), rows, b.getInt64(0), keys};
    sides.enter(position);
    for (MatrixView *view : {&output, &lse})
      view->enter(position);
    for (std::vector<MatrixView> *views : {&dq, &dk, &dv})
      for (MatrixView &view : *views)
        view.enter(position);
    Value *zero = b.getInt64(0);
    sides.readRows();
    zeroRows(queryGradients, rows, depthStride);
    forEachTile([&](Value *row, Value *count) { emitRowConstants(row, count); });
    RowStatistics statistics{b, rows, shifts, rests};
    when(b, statistics.areCoarse(), [&] { emitStatistics(statistics); });
    Value *block = b.getInt64(keyBlock);
    loop(b, b.CreateNSWMul(part, block), keys, b.CreateNSWMul(parts, block),
         [&](Value *key) { emitKeys(key); });
    auto write = [&] { writeTo(dq, {zero, rows, queryGradients, depthStride}, queryFactor()); };
    if (mayJoin())
      when(b, b.CreateNot(isCut()), write);
    else
      write();
  }

  void forEachTile(function_ref<void(Value *row, Value *count)> body) {
    Value *tile = b.getInt64(tileRows);
    loop(b, b.getInt64(0), rows, tile,
         [&](Value *row) { body(row, minimum(b, tile, b.CreateNSWSub(rows, row))); });
  }

  void zeroRows(Value *area, Value *count, Value *stride) {
    loop(b, b.getInt64(0), b.CreateNSWMul(count, stride), b.getInt64(panelWidth), [&](Value *i) {
      b.CreateAlignedStore(Constant::getNullValue(lineType()), at(area, i), Align(4));
    });
  }

  void writeTo(const std::vector<MatrixView> &views, MatrixView::Part part, double factor) {
    for (const MatrixView &view : views)
      view.write(part, /*accumulate=*/!form.summed.empty(),
                 [&](Value *) { return number(factor); });
  }

  /// Of every row the logsumexp times log2(e), and sum(gradient * output) over the values.
  void emitRowConstants(Value *row, Value *count) {
    output.read({row, count, outputRows, valueStride}, number(1));
    loop(b, count, [&](Value *i) {
      Value *here = b.CreateNSWAdd(row, i);
      Value *outputRow = rowAt(outputRows, i, valueStride), *gradientRow = sides.gradientRow(here);
      Values sum = carryingLoop(b, b.getInt64(0), valueStride, b.getInt64(panelWidth),
                                {Constant::getNullValue(lineType())},
                                [&](Value *column, ArrayRef<Value *> carried) {
                                  Value *product = b.CreateFMul(line(at(outputRow, column)),
                                                                line(at(gradientRow, column)));
                                  return Values{b.CreateFAdd(carried[0], product)};
                                });
      b.CreateStore(math::sumOfLanes(b, sum[0]), at(products, here));
      // -inf where all keys have -inf: their weights are NaN then, and those of masked keys stay 0.
      Value *shift = lse.load(here);
      shift = b.CreateFMul(shift, number(std::numbers::log2e));
      b.CreateStore(shift, at(shifts, here));
      b.CreateStore(number(0), at(rests, here));
    });
  }

  /// Where scores are in the thousands: of all keys, whichever are this task's.
  void emitStatistics(RowStatistics statistics) {
    statistics.clear();
    loop(b, b.getInt64(0), keys, b.getInt64(keyBlock), [&](Value *key) {
      TaskRange block = keysFrom(key);
      whereSeen(block, [&] {
        sides.readKeyPanels(key, block.columns);
        forEachPart(block, [&](const ScoreTile::Part &part) {
          multiplyScores(part);
          loop(b, part.rows, [&](Value *i) { statistics.add(scores, i, part); });
        });
      });
    });
    statistics.finish();
  }

  TaskRange keysFrom(Value *key) {
    TaskRange block = range;
    block.firstColumn = key;
    block.columns = minimum(b, b.getInt64(keyBlock), b.CreateNSWSub(keys, key));
    return block;
  }

  /// Runs `body` if some row sees some of the keys. Of no rows nothing can be said.
  void whereSeen(const TaskRange &block, function_ref<void()> body) {
    Value *some = b.CreateICmpSGT(rows, b.getInt64(0));
    when(b, b.CreateAnd(some, b.CreateNot(scores.bounds(block).never)), body);
  }

  void forEachPart(TaskRange block, function_ref<void(const ScoreTile::Part &)> body) {
    forEachTile([&](Value *row, Value *count) {
      block.firstRow = row;
      block.rows = count;
      scores.enterBlock(block);
      for (BiasGradient &each : dbias)
        each.enterBlock(block);
      scores.emitTile(row, count, body);
    });
  }

  void multiplyScores(const ScoreTile::Part &part) {
    scores.multiply(part, sides.queriesOfScores(part.firstRow), depthStride, sides.keyPanels, depth,
                    scores.area(), sides.products(sides.scoresArePairs));
  }

  /// Gradients of weights: of the output's, by the values.
  void multiplyGradients(const ScoreTile::Part &part) {
    scores.multiply(part, sides.gradientsOfWeights(part.firstRow), valueStride, sides.valuePanels,
                    values, weightGradients, sides.products(sides.gradientsArePairs));
  }

  void emitKeys(Value *key) {
    TaskRange block = keysFrom(key);
    // What products add to, no more: of a short text that is a small part of a block.
    Value *added = roundUp(b, block.columns, panelWidth);
    zeroRows(keyGradients, added, depthStride);
    zeroRows(valueGradients, added, valueStride);
    whereSeen(block, [&] {
      sides.readKeys(key, block.columns);
      forEachPart(block, [&](const ScoreTile::Part &part) { emitTile(part); });
    });
    writeTo(dk, {key, block.columns, keyGradients, depthStride}, sides.factorOfQueries());
    writeTo(dv, {key, block.columns, valueGradients, valueStride}, 1);
  }

  void emitTile(const ScoreTile::Part &part) {
    Value *row = part.firstRow;
    multiplyScores(part);
    multiplyGradients(part);
    ScoreGradients ofScores{
        b, scores, dbias, shifts, rests, products, weightGradients, pairsOfGradients, keyBlock};
    loop(b, part.rows, [&](Value *i) { ofScores.emit(i, part); });
    GradientProducts sums{b, frame.emission, part, keyBlock, sides.weightsArePairs};
    Value *byKey = sides.weightsArePairs ? pairsOfGradients : weightGradients;
    if (!dv.empty())
      sums.addToKeys(cores(schedule.getValueTile()), scores.area(), sides.gradients(row),
                     {valueGradients, valueStride});
    if (!dk.empty())
      sums.addToKeys(cores(schedule.getDepthTile()), byKey, sides.queries(row),
                     {keyGradients, depthStride});
    if (!dq.empty())
      sums.addToQueries(cores(schedule.getDepthTile()), weightGradients, sides.keys(part.firstKey),
                        {queryGradients, depthStride});
  }

  Frame frame;
  kernel::FusedOp op;
  const AttentionForm &form;
  AttentionGradAttr schedule;
  int64_t tileRows, keyBlock;
  IRBuilderBase &b;
  GradientSides sides;
  MatrixView output, lse;
  std::vector<MatrixView> dq, dk, dv;
  std::vector<BiasGradient> dbias;
  ScoreTile scores;
  Value *rows = nullptr, *keys = nullptr, *depth = nullptr, *values = nullptr; // sizes
  Value *depthStride = nullptr, *valueStride = nullptr, *parts = nullptr; // of a position's keys
  // Areas of all rows: gradients of queries [row][depth], of this task or, where keys are cut, in
  // the memory of both launches; three constants a row: the logsumexp as shift + rest, and
  // sum(gradient * output).
  Value *queryGradients = nullptr, *ownQueryGradients = nullptr, *shifts = nullptr,
        *rests = nullptr, *products = nullptr;
  // Areas of a block of keys: gradients [key][depth] and [key][value]. Areas of a tile: rows of the
  // output [row][value], and gradients [row][key] in the shape of the scores; as bfloat16 these are
  // in pairs of rows too.
  Value *keyGradients = nullptr, *valueGradients = nullptr, *outputRows = nullptr,
        *weightGradients = nullptr, *pairsOfGradients = nullptr;
  TaskRange range{};
};

} // namespace

mlir::FailureOr<KernelFunctions> emitAttentionGrad(kernel::FusedOp op, AttentionGradAttr schedule,
                                                   StringRef name, Emission &emission) {
  FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return failure();
  return emitWithAreas<GradientBuilder>(name, emission, op, schedule, *form);
}

} // namespace weft::cpu
