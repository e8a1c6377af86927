// Attention: scores of some queries and keys at a time, in registers; the highest score and the sum
// of weights of a row go along (Milakov, Gimelshein, arXiv:1805.02867).
#include "codegen/gpu/attention/Attention.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/math/VectorMath.h"
#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/attention/SoftmaxState.h"
#include "codegen/gpu/attention/ThreadTile.h"
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

namespace {

/// How many blocks of queries there are, for all positions of the batch. i64.
struct QueryGrid {
  Value *rows, *rowBlocks, *blocks;

  QueryGrid(Frame frame, const AttentionForm &form, cuda::AttentionAttr schedule)
      : rows(frame.extent(form.rows)),
        rowBlocks(ceilDiv(frame.builder, rows, frame.builder.getInt64(schedule.getRows()))),
        blocks(frame.builder.CreateNSWMul(frame.extent(form.batch), rowBlocks)) {}
};

class AttentionKernel {
public:
  AttentionKernel(Frame frame, kernel::FusedOp op, const AttentionForm &form,
                  cuda::AttentionAttr schedule)
      : frame(frame), b(frame.builder), form(form), schedule(schedule),
        depth(frame.emission.known(sizeOf(form.depth)).value_or(0)),
        values(frame.emission.known(sizeOf(form.values)).value_or(0)),
        team(b, schedule.threads(), schedule.threads()), grid(frame, form, schedule),
        mask(frame, op, form), buffers{frame, op, form, nullptr},
        thread(b, team,
               {schedule.getThreadRows(), schedule.getThreadKeys(),
                schedule.getRows() / schedule.getThreadRows(),
                schedule.getKeys() / schedule.getThreadKeys()}),
        queries(frame, team, queryTile(), team.cells(b.getInt8Ty(), queryTile().bytes())),
        shared(team.cells(b.getInt8Ty(), std::max(keyTile().bytes(), valueTile().bytes()))),
        keys(frame, team, keyTile(), shared), weighted(frame, team, valueTile(), shared),
        weights(frame, team, weightTile(), team.cells(b.getInt8Ty(), weightTile().bytes())) {}

  void emit() {
    buffers.batch = b.CreateUDiv(team.block(), grid.rowBlocks);
    row0 =
        b.CreateNSWMul(b.CreateURem(team.block(), grid.rowBlocks), b.getInt64(schedule.getRows()));
    keyCount = frame.extent(form.keys);
    mask.scope([&] {
      queries.enter(buffers.matrix(form.q, form.rows, form.depth, /*wholeDepth=*/true), row0);
      queries.put(queries.fetch(zero()), zero());
      finish(throughKeys());
    });
  }

private:
  int64_t valuesEach() const { return thread.columnsOf(values); }
  StagedSide::Tile queryTile() const { return {unsigned(schedule.getRows()), unsigned(depth)}; }
  StagedSide::Tile keyTile() const { return {unsigned(schedule.getKeys()), unsigned(depth)}; }
  StagedSide::Tile valueTile() const {
    return {unsigned(thread.wholeColumns(values)), unsigned(schedule.getKeys())};
  }
  StagedSide::Tile weightTile() const {
    return {unsigned(schedule.getRows()), unsigned(schedule.getKeys())};
  }
  Value *zero() { return b.getInt64(0); }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *row(int64_t i) { return b.CreateNSWAdd(row0, thread.row(i)); }

  Value *key(Value *key0, int64_t j) { return b.CreateNSWAdd(key0, thread.column(j)); }

  using State = SoftmaxState;

  State throughKeys() {
    size_t rows = schedule.getThreadRows();
    State first{Values(rows * valuesEach(), number(0)), Values(rows, number(-INFINITY)),
                Values(rows, number(0))};
    Value *step = b.getInt64(schedule.getKeys());
    Values all = carryingLoop(
        b, zero(), keyCount, step, first.packed(), [&](Value *key0, ArrayRef<Value *> carried) {
          TaskRange block{
              buffers.batch, row0,
              minimum(b, b.getInt64(schedule.getRows()), b.CreateNSWSub(grid.rows, row0)), key0,
              minimum(b, step, b.CreateNSWSub(keyCount, key0))};
          MaskBounds::Verdict verdict = mask.judge(block);
          return choose(
              b, verdict.never, [&] { return Values(carried); },
              [&] { return addKeys(State::of(carried, rows), key0, verdict).packed(); });
        });
    return State::of(all, rows);
  }

  State addKeys(State state, Value *key0, const MaskBounds::Verdict &verdict) {
    team.barrier(); // what lay in shared memory has been read
    keys.enter(buffers.matrix(form.k, form.keys, form.depth, /*wholeDepth=*/true), key0);
    keys.put(keys.fetch(zero()), zero());
    team.barrier();
    Values scores = masked(scoresOf(key0), key0, verdict);
    state = weigh(std::move(state), scores, key0);
    team.barrier(); // the keys have been read, and weights are there
    weighted.enter(buffers.matrix(form.v, form.values, form.keys, /*wholeDepth=*/false), zero());
    weighted.put(weighted.fetch(key0), zero());
    team.barrier();
    return addValues(std::move(state));
  }

  Values scoresOf(Value *key0) {
    int64_t columns = schedule.getThreadKeys();
    Values scores = thread.products(queries, {keys}, columns, depth,
                                    Values(schedule.getThreadRows() * columns, number(0)),
                                    schedule.getUnroll());
    for (auto [i, score] : enumerate(scores)) {
      Value *product = b.CreateFMul(score, number(form.scale));
      score = mask.score(buffers.batch, row(i / columns), key(key0, i % columns), product).value;
    }
    return scores;
  }

  /// -inf where a key is none, or hidden.
  Values masked(Values scores, Value *key0, const MaskBounds::Verdict &verdict) {
    int64_t columns = schedule.getThreadKeys();
    Value *hidden = number(-INFINITY);
    for (auto [i, score] : enumerate(scores)) {
      Value *exists = b.CreateICmpSLT(key(key0, i % columns), keyCount);
      score = b.CreateSelect(exists, score, hidden);
    }
    if (!form.mask)
      return scores;
    return choose(
        b, verdict.always, [&] { return scores; },
        [&] {
          Values kept;
          for (auto [i, score] : enumerate(scores))
            kept.push_back(
                b.CreateSelect(mask.keeps(buffers.batch, row(i / columns), key(key0, i % columns)),
                               score, hidden));
          return kept;
        });
  }

  Value *amongKeys(Value *value, function_ref<Value *(Value *, Value *)> combine) {
    return team.foldNeighbours({value}, thread.shape.across, [&](auto x, auto y) {
      return Team::Several{combine(x[0], y[0])};
    })[0];
  }

  /// Scores become weights, relative to the highest so far, which the state is brought to.
  State weigh(State state, ArrayRef<Value *> scores, Value *key0) {
    int64_t columns = schedule.getThreadKeys();
    for (int64_t i = 0; i < schedule.getThreadRows(); ++i) {
      Value *before = state.highest[i], *now = before;
      for (Value *score : scores.slice(i * columns, columns))
        now = math::maximum(b, now, score);
      now = amongKeys(now, [&](Value *x, Value *y) { return math::maximum(b, x, y); });
      // Where all is hidden so far, weights are exp(-inf - 0) = 0.
      Value *none = b.CreateFCmpOEQ(now, number(-INFINITY));
      Value *shift = b.CreateSelect(none, number(0), now);
      Value *factor = math::exp(b, b.CreateFSub(before, shift));
      Value *total = b.CreateFMul(state.total[i], factor);
      for (auto [j, score] : enumerate(scores.slice(i * columns, columns))) {
        Value *weight = math::exp(b, b.CreateFSub(score, shift));
        total = b.CreateFAdd(total, weight);
        weight = mask.dropped(buffers.batch, row(i), key(key0, int64_t(j)), {weight})[0];
        b.CreateStore(weight, weights.place(zero(), thread.column(j), thread.row(i)));
      }
      state.highest[i] = now;
      state.total[i] = total;
      for (Value *&sum : MutableArrayRef<Value *>(state.sums).slice(i * valuesEach(), valuesEach()))
        sum = b.CreateFMul(sum, factor);
    }
    return state;
  }

  State addValues(State state) {
    state.sums = thread.products(weights, {weighted}, valuesEach(), schedule.getKeys(), state.sums,
                                 schedule.getUnroll());
    return state;
  }

  void finish(const State &state) {
    for (int64_t i = 0; i < schedule.getThreadRows(); ++i) {
      Value *total =
          amongKeys(state.total[i], [&](Value *x, Value *y) { return b.CreateFAdd(x, y); });
      // Where a mask keeps nothing, or there is nothing. All of -inf is NaN.
      Value *empty = b.CreateFCmpOEQ(total, number(0));
      if (!form.mask)
        empty = b.CreateICmpEQ(keyCount, zero());
      when(b, b.CreateICmpSLT(row(i), grid.rows), [&] {
        Value *inverse = b.CreateFDiv(number(1), total);
        for (unsigned output : form.output)
          for (int64_t j = 0; j < valuesEach(); ++j) {
            Value *column = thread.column(j);
            Value *value = b.CreateFMul(state.sums[i * valuesEach() + j], inverse);
            value = b.CreateSelect(empty, number(0), value);
            when(b, b.CreateICmpSLT(column, b.getInt64(values)),
                 [&] { store(value, output, row(i), column); });
          }
        when(b, thread.isFirstOfRow(), [&] {
          Value *sum = b.CreateFAdd(state.highest[i], math::log(b, total));
          for (unsigned lse : form.lse)
            store(b.CreateSelect(empty, number(-INFINITY), sum), lse, row(i), zero());
        });
      });
    }
  }

  void store(Value *value, unsigned buffer, Value *row, Value *column) {
    buffers.store(value, buffer, {form.rows, row}, {form.values, column});
  }

  Frame frame;
  IRBuilderBase &b;
  const AttentionForm &form;
  cuda::AttentionAttr schedule;
  int64_t depth, values;
  Team team;
  QueryGrid grid;
  ScoreMask mask;
  AttentionBuffers buffers;
  ThreadTile thread;
  StagedSide queries;
  Value *shared; // keys, then the values of these keys
  StagedSide keys, weighted, weights;
  Value *row0 = nullptr, *keyCount = nullptr;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitAttention(kernel::FusedOp op, cuda::AttentionAttr schedule,
                                            StringRef name, Emissions emissions) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  KernelShell shell(op, name, emissions, {.threads = schedule.threads()});
  AttentionKernel(shell.frame(), op, *form, schedule).emit();
  return shell.finish([&](Frame frame) { return QueryGrid(frame, *form, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
