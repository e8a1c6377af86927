// Attention: scores of some queries and keys at a time, in registers; the highest score and the sum
// of weights of a row go along (Milakov, Gimelshein, arXiv:1805.02867).
#include "codegen/gpu/attention/Attention.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/MaskBounds.h"
#include "codegen/emit/math/VectorMath.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/contraction/StagedSide.h"
#include "codegen/rows/RowNest.h"
#include "ir/kernel/AttentionForm.h"

using namespace llvm;

namespace weft::gpu {

namespace {

RowProgram programOf(kernel::FusedOp op) {
  RowProgram program;
  program.op = op;
  program.yielded = SmallVector<mlir::Value>(op.getBody().front().getTerminator()->getOperands());
  return program;
}

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
      : frame(frame), b(frame.builder), op(op), form(form), schedule(schedule),
        depth(frame.emission.known(sizeOf(form.depth)).value_or(0)),
        values(frame.emission.known(sizeOf(form.values)).value_or(0)),
        team(b, schedule.threads(), schedule.threads()), grid(frame, form, schedule),
        program(programOf(op)), masks(program, DimAttr(), frame),
        queries(frame, team, queryTile(), team.cells(b.getInt8Ty(), queryTile().bytes())),
        shared(team.cells(b.getInt8Ty(), std::max(keyTile().bytes(), valueTile().bytes()))),
        keys(frame, team, keyTile(), shared), weighted(frame, team, valueTile(), shared),
        weights(frame, team, {unsigned(schedule.getRows()), unsigned(schedule.getKeys())},
                team.cells(b.getInt8Ty(), StagedSide::Tile{unsigned(schedule.getRows()),
                                                           unsigned(schedule.getKeys())}
                                              .bytes())) {}

  void emit() {
    down = b.CreateUDiv(team.lane(), b.getInt64(across()));
    beside = b.CreateURem(team.lane(), b.getInt64(across()));
    batch = b.CreateUDiv(team.block(), grid.rowBlocks);
    row0 =
        b.CreateNSWMul(b.CreateURem(team.block(), grid.rowBlocks), b.getInt64(schedule.getRows()));
    keyCount = frame.extent(form.keys);
    // One pass: a loop, for that is a scope, outside of which the mask's sizes are known.
    masks.scopes.loop(zero(), b.getInt64(1), b.getInt64(1), [&](Value *) {
      StagedSide::Matrix q = matrix(form.q, form.rows, form.depth);
      q.wholeDepth = true;
      queries.enter(q, row0);
      queries.put(queries.fetch(zero()), zero());
      finish(throughKeys());
    });
  }

private:
  int64_t across() const { return schedule.getKeys() / schedule.getThreadKeys(); }
  int64_t rowStep() const { return schedule.getRows() / schedule.getThreadRows(); }
  int64_t valuesEach() const { return int64_t(divideCeil(values, across())); }
  StagedSide::Tile queryTile() const { return {unsigned(schedule.getRows()), unsigned(depth)}; }
  StagedSide::Tile keyTile() const { return {unsigned(schedule.getKeys()), unsigned(depth)}; }
  StagedSide::Tile valueTile() const {
    return {unsigned(valuesEach() * across()), unsigned(schedule.getKeys())};
  }
  Value *zero() { return b.getInt64(0); }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *row(int64_t i) {
    return b.CreateNSWAdd(b.CreateNSWAdd(row0, down), b.getInt64(i * rowStep()));
  }

  LayoutAttr layout(unsigned buffer) { return cast<LayoutAttr>(op.getLayoutsAttr()[buffer]); }
  Walk walk(unsigned buffer, ArrayRef<DimAttr> dims) {
    return walkOver(frame.emission.dims, layout(buffer), dims);
  }
  Value *start(unsigned buffer) {
    Value *offset = frame.emission.offset(b, walk(buffer, form.batch), batch, frame.sizes);
    return b.CreateInBoundsGEP(stored(buffer).memory, frame.buffer(buffer), offset);
  }
  /// What the floats of a buffer are in memory.
  Stored stored(unsigned buffer) {
    unsigned operands = op.getNumOperands();
    mlir::Value value = buffer < operands ? op.getOperand(buffer)
                                          : mlir::Value(op.getResult(buffer - operands));
    return {b.getContext(), model::typeOf(value), layout(buffer)};
  }

  StagedSide::Matrix matrix(unsigned buffer, ArrayRef<DimAttr> across, ArrayRef<DimAttr> depth) {
    return {stored(buffer), start(buffer), walk(buffer, across), walk(buffer, depth),
            frame.extent(across), frame.extent(depth),  /*wholeAcross=*/false,
            /*wholeDepth=*/false};
  }

  /// Of each row of the thread: the sums of values, the highest score, the sum of weights.
  struct State {
    Values sums, highest, total;

    Values packed() const {
      Values all(sums);
      append_range(all, highest);
      append_range(all, total);
      return all;
    }
    static State of(ArrayRef<Value *> all, size_t rows) {
      size_t sums = all.size() - 2 * rows;
      return {Values(all.take_front(sums)), Values(all.slice(sums, rows)),
              Values(all.take_back(rows))};
    }
  };

  State throughKeys() {
    size_t rows = schedule.getThreadRows();
    State first{Values(rows * valuesEach(), number(0)), Values(rows, number(-INFINITY)),
                Values(rows, number(0))};
    Value *step = b.getInt64(schedule.getKeys());
    Values all = carryingLoop(
        b, zero(), keyCount, step, first.packed(), [&](Value *key0, ArrayRef<Value *> carried) {
          TaskRange block{
              batch, row0,
              minimum(b, b.getInt64(schedule.getRows()), b.CreateNSWSub(grid.rows, row0)), key0,
              minimum(b, step, b.CreateNSWSub(keyCount, key0))};
          MaskBounds::Verdict verdict =
              MaskBounds(b, frame.emission, frame.sizes, form.scores(), form.mask).judge(block);
          return choose(
              b, verdict.never, [&] { return Values(carried); },
              [&] { return addKeys(State::of(carried, rows), key0, verdict).packed(); });
        });
    return State::of(all, rows);
  }

  State addKeys(State state, Value *key0, const MaskBounds::Verdict &verdict) {
    team.barrier(); // what lay in shared memory has been read
    StagedSide::Matrix k = matrix(form.k, form.keys, form.depth);
    k.wholeDepth = true;
    keys.enter(k, key0);
    keys.put(keys.fetch(zero()), zero());
    team.barrier();
    Values scores = masked(scoresOf(), key0, verdict);
    state = weigh(std::move(state), scores);
    team.barrier(); // the keys have been read, and weights are there
    weighted.enter(matrix(form.v, form.values, form.keys), zero());
    weighted.put(weighted.fetch(key0), zero());
    team.barrier();
    return addValues(std::move(state));
  }

  /// The sums of products over `count` steps: of rows of `left` and columns of `right`.
  Values products(StagedSide &left, StagedSide &right, int64_t columns, int64_t count,
                  Values sums) {
    return carryingLoop(
        b, zero(), b.getInt64(count), b.getInt64(1), sums,
        [&](Value *k, ArrayRef<Value *> carried) {
          auto read = [&](StagedSide &side, Value *first, int64_t step, int64_t number) {
            Values result;
            for (int64_t i = 0; i < number; ++i)
              result.push_back(
                  b.CreateLoad(b.getFloatTy(),
                               side.place(zero(), k, b.CreateNSWAdd(first, b.getInt64(i * step)))));
            return result;
          };
          Values ofLeft = read(left, down, rowStep(), schedule.getThreadRows());
          Values ofRight = read(right, beside, across(), columns), next;
          for (auto [i, x] : enumerate(ofLeft))
            for (auto [j, y] : enumerate(ofRight))
              next.push_back(b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                               {x, y, carried[i * columns + j]}));
          return next;
        },
        schedule.getUnroll());
  }

  Values scoresOf() {
    int64_t columns = schedule.getThreadKeys();
    Values scores = products(queries, keys, columns, depth,
                             Values(schedule.getThreadRows() * columns, number(0)));
    for (Value *&score : scores)
      score = b.CreateFMul(score, number(form.scale));
    return scores;
  }

  /// -inf where a key is none, or hidden.
  Values masked(Values scores, Value *key0, const MaskBounds::Verdict &verdict) {
    int64_t columns = schedule.getThreadKeys();
    auto key = [&](int64_t j) {
      return b.CreateNSWAdd(b.CreateNSWAdd(key0, beside), b.getInt64(j * across()));
    };
    Value *hidden = number(-INFINITY);
    for (auto [i, score] : enumerate(scores)) {
      Value *exists = b.CreateICmpSLT(key(i % columns), keyCount);
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
                b.CreateSelect(keeps(row(i / columns), key(i % columns)), score, hidden));
          return kept;
        });
  }

  /// The mask at a query and a key; beyond the last ones, at these.
  Value *keeps(Value *row, Value *key) {
    auto within = [&](Value *index, Value *count) {
      return minimum(b, index, b.CreateNSWSub(count, b.getInt64(1)));
    };
    RowFrame here = masks.loops.row(form.batch, batch);
    auto add = [&](ArrayRef<DimAttr> dims, Value *index) {
      RowFrame part = masks.loops.row(dims, index);
      for (DimAttr dim : dims)
        here = here.with(dim, part.find(dim));
    };
    add(form.rows, within(row, grid.rows));
    add(form.keys, within(key, keyCount));
    return masks.evaluator.value(form.mask, here);
  }

  Value *amongKeys(Value *value, function_ref<Value *(Value *, Value *)> combine) {
    return team.foldNeighbours(
        {value}, across(), [&](auto x, auto y) { return Team::Several{combine(x[0], y[0])}; })[0];
  }

  /// Scores become weights, relative to the highest so far, which the state is brought to.
  State weigh(State state, ArrayRef<Value *> scores) {
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
        Value *key = b.CreateNSWAdd(beside, b.getInt64(j * across()));
        b.CreateStore(weight, weights.place(zero(), key, localRow(i)));
      }
      state.highest[i] = now;
      state.total[i] = total;
      for (Value *&sum : MutableArrayRef<Value *>(state.sums).slice(i * valuesEach(), valuesEach()))
        sum = b.CreateFMul(sum, factor);
    }
    return state;
  }

  Value *localRow(int64_t i) { return b.CreateNSWAdd(down, b.getInt64(i * rowStep())); }

  State addValues(State state) {
    state.sums = products(weights, weighted, valuesEach(), schedule.getKeys(), state.sums);
    return state;
  }

  void finish(const State &state) {
    for (int64_t i = 0; i < schedule.getThreadRows(); ++i) {
      Value *total =
          amongKeys(state.total[i], [&](Value *x, Value *y) { return b.CreateFAdd(x, y); });
      Value *empty = b.CreateFCmpOEQ(total, number(0));
      when(b, b.CreateICmpSLT(row(i), grid.rows), [&] {
        Value *inverse = b.CreateFDiv(number(1), total);
        for (unsigned output : form.output)
          for (int64_t j = 0; j < valuesEach(); ++j) {
            Value *column = b.CreateNSWAdd(beside, b.getInt64(j * across()));
            Value *value = b.CreateFMul(state.sums[i * valuesEach() + j], inverse);
            value = b.CreateSelect(empty, number(0), value);
            when(b, b.CreateICmpSLT(column, b.getInt64(values)),
                 [&] { stored(output).store(b, value, place(output, row(i), column)); });
          }
        when(b, b.CreateICmpEQ(beside, zero()), [&] {
          Value *sum = b.CreateFAdd(state.highest[i], math::log(b, total));
          for (unsigned lse : form.lse)
            stored(lse).store(b, b.CreateSelect(empty, number(-INFINITY), sum),
                          place(lse, row(i), zero()));
        });
      });
    }
  }

  Value *place(unsigned buffer, Value *row, Value *column) {
    auto offset = [&](ArrayRef<DimAttr> dims, Value *index) {
      return frame.emission.offset(b, walk(buffer, dims), index, frame.sizes);
    };
    Value *inside = b.CreateNSWAdd(offset(form.rows, row), offset(form.values, column));
    return b.CreateInBoundsGEP(stored(buffer).memory, start(buffer), inside);
  }

  using RowFrame = rows::RowFrame;

  Frame frame;
  IRBuilderBase &b;
  kernel::FusedOp op;
  const AttentionForm &form;
  cuda::AttentionAttr schedule;
  int64_t depth, values;
  Team team;
  QueryGrid grid;
  RowProgram program;
  rows::OrderedKernel masks;
  StagedSide queries;
  Value *shared; // keys, then the values of these keys
  StagedSide keys, weighted, weights;
  Value *down = nullptr, *beside = nullptr, *batch = nullptr, *row0 = nullptr, *keyCount = nullptr;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitAttention(kernel::FusedOp op, cuda::AttentionAttr schedule,
                                            StringRef name, Emissions emissions) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  KernelShell shell(op, name, emissions, schedule.threads());
  AttentionKernel(shell.frame(), op, *form, schedule).emit();
  return shell.finish([&](Frame frame) { return QueryGrid(frame, *form, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
