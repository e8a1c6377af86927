// Attention of few queries takes as long as keys and values take to be read: lanes side by side
// read a key straight to registers, and each group of lanes has a softmax of its own keys (Milakov,
// Gimelshein, arXiv:1805.02867), so that nothing is shared before the end.
#include "codegen/gpu/attention/split/SplitAttention.h"

#include "codegen/emit/math/VectorMath.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/attention/SoftmaxResult.h"
#include "codegen/gpu/attention/SoftmaxState.h"
#include "codegen/gpu/attention/split/JoinParts.h"
#include "codegen/gpu/attention/split/KeyLanes.h"
#include "codegen/gpu/attention/split/SplitGrid.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"

using namespace llvm;

namespace weft::gpu {

namespace {

class PartOfKeys {
public:
  PartOfKeys(Frame frame, Value *scratch, kernel::FusedOp op, const AttentionForm &form,
             cuda::SplitAttentionAttr schedule, ArrayRef<unsigned> alignments)
      : b(frame.builder), form(form), schedule(schedule), scratch(scratch),
        grid(frame, form, schedule), mask(frame, op, form), buffers{frame, op, form, nullptr},
        k(buffers, form.k, form.depth, alignments), v(buffers, form.v, form.values, alignments),
        lanes(std::max(k.lanesWanted(), v.lanesWanted())),
        team(b, unsigned(schedule.getThreads()), lanes) {}

  void emit() {
    Value *part = b.CreateURem(team.block(), grid.parts);
    Value *queries = b.CreateUDiv(team.block(), grid.parts);
    buffers.batch = b.CreateUDiv(queries, grid.rowBlocks);
    row0 = b.CreateNSWMul(b.CreateURem(queries, grid.rowBlocks), b.getInt64(schedule.getRows()));
    first = b.CreateNSWMul(part, grid.each, "first");
    end = minimum(b, grid.keys, b.CreateNSWAdd(first, grid.each));
    end->setName("end");
    mask.scope([&] { finish(joined(throughKeys())); });
  }

private:
  using State = SoftmaxState;
  size_t rows() const { return size_t(schedule.getRows()); }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *row(size_t which) { return b.CreateNSWAdd(row0, b.getInt64(int64_t(which))); }
  /// One that there is, whatever `which`.
  Value *rowThere(size_t which) {
    return minimum(b, row(which), b.CreateNSWSub(grid.rows, b.getInt64(1)));
  }

  /// The lane's elements of each query.
  SmallVector<Values> queries() {
    SmallVector<Values> all(rows());
    for (auto [which, each] : enumerate(all))
      for (unsigned i = 0; i < k.columnsEach(lanes); ++i) {
        Value *column = k.column(team.lane(), lanes, i), *there = k.exists(column);
        Value *inside = b.CreateSelect(there, column, b.getInt64(0));
        Value *value = buffers.load(form.q, {form.rows, rowThere(which)}, {form.depth, inside});
        each.push_back(b.CreateSelect(there, value, number(0)));
      }
    return all;
  }

  State throughKeys() {
    SmallVector<Values> q = queries();
    State none{Values(rows() * v.columnsEach(lanes), number(0)), Values(rows(), number(-INFINITY)),
               Values(rows(), number(0))};
    Value *rowCount = minimum(b, b.getInt64(schedule.getRows()), b.CreateNSWSub(grid.rows, row0));
    Value *count = b.CreateNSWSub(end, first);
    // Of no keys nothing is asked.
    Value *any = b.CreateICmpSGT(count, b.getInt64(0));
    MaskBounds::Verdict verdict =
        mask.judge({buffers.batch, row0, rowCount, first, maximum(b, count, b.getInt64(1))});
    Value *last = b.CreateSelect(b.CreateAnd(any, b.CreateNot(verdict.never)), end, first);
    int64_t unroll = schedule.getUnroll(), together = team.teams();
    Values all =
        carryingLoop(b, first, last, b.getInt64(together * unroll), none.packed(),
                     [&](Value *key0, ArrayRef<Value *> carried) {
                       Values keys;
                       for (int64_t i = 0; i < unroll; ++i)
                         keys.push_back(b.CreateNSWAdd(
                             b.CreateNSWAdd(key0, b.getInt64(i * together)), team.number()));
                       return addKeys(State::of(carried, rows()), q, keys, verdict).packed();
                     });
    return State::of(all, rows());
  }

  State addKeys(State state, ArrayRef<Values> q, ArrayRef<Value *> keys,
                const MaskBounds::Verdict &verdict) {
    SmallVector<Values> rowsOfKeys, rowsOfValues;
    Values there;
    for (Value *key : keys) {
      there.push_back(b.CreateICmpSLT(key, end));
      Value *inside = minimum(b, key, b.CreateNSWSub(end, b.getInt64(1)));
      rowsOfKeys.push_back(k.load(inside, team.lane(), lanes));
      rowsOfValues.push_back(v.load(inside, team.lane(), lanes));
    }
    for (size_t which = 0; which < rows(); ++which) {
      Values scores;
      for (auto [i, key] : enumerate(keys)) {
        Value *score = b.CreateFMul(product(q[which], rowsOfKeys[i]), number(form.scale));
        score = b.CreateSelect(there[i], score, number(-INFINITY));
        scores.push_back(hidden(score, which, key, verdict));
      }
      weigh(state, which, scores, rowsOfValues);
    }
    return state;
  }

  /// Over all lanes that have the key.
  Value *product(ArrayRef<Value *> query, ArrayRef<Value *> key) {
    Value *sum = number(0);
    for (auto [x, y] : zip_equal(query, key))
      sum = b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {x, y, sum});
    return team.foldNeighbours(
        {sum}, lanes, [&](auto x, auto y) { return Team::Several{b.CreateFAdd(x[0], y[0])}; })[0];
  }

  Value *hidden(Value *score, size_t which, Value *key, const MaskBounds::Verdict &verdict) {
    if (!form.mask)
      return score;
    return choose(
        b, verdict.always, [&] { return Values{score}; },
        [&] {
          Value *keeps = mask.keeps(buffers.batch, row(which), key);
          return Values{b.CreateSelect(keeps, score, number(-INFINITY))};
        })[0];
  }

  /// What scores are relative to; where all is hidden, weights are exp(-inf - 0) = 0.
  Value *shiftOf(Value *highest) {
    return b.CreateSelect(b.CreateFCmpOEQ(highest, number(-INFINITY)), number(0), highest);
  }

  void weigh(State &state, size_t which, ArrayRef<Value *> scores, ArrayRef<Values> values) {
    Value *before = state.highest[which], *now = before;
    for (Value *score : scores)
      now = math::maximum(b, now, score);
    Value *shift = shiftOf(now), *factor = math::exp(b, b.CreateFSub(before, shift));
    factor->setName("factor");
    MutableArrayRef<Value *> sums = sumsOf(state, which);
    Value *&total = state.total[which];
    total = b.CreateFMul(total, factor);
    for (Value *&sum : sums)
      sum = b.CreateFMul(sum, factor);
    for (auto [score, row] : zip_equal(scores, values)) {
      Value *weight = math::exp(b, b.CreateFSub(score, shift));
      total = b.CreateFAdd(total, weight);
      for (auto [sum, value] : zip_equal(sums, row))
        sum = b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {weight, value, sum});
    }
    state.highest[which] = now;
  }

  MutableArrayRef<Value *> sumsOf(State &state, size_t which) {
    size_t each = v.columnsEach(lanes);
    return MutableArrayRef<Value *>(state.sums).slice(which * each, each);
  }

  /// Of all groups of lanes: the lanes of one key, then warps in turn.
  State joined(const State &state) {
    Values all = state.packed();
    Team::Several one = team.foldAlike(
        Team::Several(all.begin(), all.end()), [&](Team::Several x, Team::Several y) {
          State left = State::of(x, rows()), right = State::of(y, rows());
          for (size_t which = 0; which < rows(); ++which)
            add(left, right, which);
          Values both = left.packed();
          return Team::Several(both.begin(), both.end());
        });
    return State::of(one, rows());
  }

  void add(State &left, State &right, size_t which) {
    Value *highest = math::maximum(b, left.highest[which], right.highest[which]);
    Value *shift = shiftOf(highest);
    Value *ofLeft = math::exp(b, b.CreateFSub(left.highest[which], shift));
    Value *ofRight = math::exp(b, b.CreateFSub(right.highest[which], shift));
    auto both = [&](Value *x, Value *y) {
      return b.CreateFAdd(b.CreateFMul(x, ofLeft), b.CreateFMul(y, ofRight));
    };
    left.highest[which] = highest;
    left.total[which] = both(left.total[which], right.total[which]);
    for (auto [x, y] : zip_equal(sumsOf(left, which), sumsOf(right, which)))
      x = both(x, y);
  }

  /// Of one part there is nothing to join.
  void finish(State state) {
    Value *isWhole = b.CreateICmpEQ(grid.parts, b.getInt64(1));
    when(b, b.CreateICmpEQ(team.number(), b.getInt64(0)), [&] {
      when(b, isWhole, [&] { write(state); });
      when(b, b.CreateNot(isWhole), [&] { leave(state); });
    });
  }

  void write(State &state) {
    for (size_t which = 0; which < rows(); ++which)
      when(b, b.CreateICmpSLT(row(which), grid.rows), [&] {
        SoftmaxResult result(b, state.highest[which], state.total[which]);
        for (auto [i, sum] : enumerate(sumsOf(state, which))) {
          Value *column = v.column(team.lane(), lanes, unsigned(i));
          when(b, v.exists(column), [&] {
            for (unsigned output : form.output)
              store(result.of(b, sum), output, row(which), column);
          });
        }
        when(b, team.isFirst(), [&] {
          for (unsigned lse : form.lse)
            store(result.logsumexp(b), lse, row(which), b.getInt64(0));
        });
      });
  }

  void store(Value *value, unsigned buffer, Value *row, Value *column) {
    buffers.store(value, buffer, {form.rows, row}, {form.values, column});
  }

  void leave(State &state) {
    for (size_t which = 0; which < rows(); ++which) {
      Value *at = grid.place(b, scratch, team.block(), b.getInt64(int64_t(which)), schedule);
      auto put = [&](Value *value, Value *column) {
        b.CreateStore(value, b.CreateInBoundsGEP(b.getFloatTy(), at, column));
      };
      for (auto [i, sum] : enumerate(sumsOf(state, which))) {
        Value *column = v.column(team.lane(), lanes, unsigned(i));
        when(b, v.exists(column), [&] { put(sum, column); });
      }
      when(b, team.isFirst(), [&] {
        put(state.highest[which], b.getInt64(v.columns()));
        put(state.total[which], b.getInt64(v.columns() + 1));
      });
    }
  }

  IRBuilderBase &b;
  const AttentionForm &form;
  cuda::SplitAttentionAttr schedule;
  Value *scratch;
  SplitGrid grid;
  ScoreMask mask;
  AttentionBuffers buffers;
  KeyLanes k, v;
  unsigned lanes; // that read a key and its values
  Team team;
  Value *row0 = nullptr, *first = nullptr, *end = nullptr;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitSplitAttention(kernel::FusedOp op,
                                                 cuda::SplitAttentionAttr schedule, StringRef name,
                                                 Emissions emissions,
                                                 ArrayRef<unsigned> alignments) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  KernelShell shell(op, name, emissions, {.threads = unsigned(schedule.getThreads())});
  PartOfKeys(shell.frame(), shell.scratch(), op, *form, schedule, alignments).emit();
  DeviceKernel parts =
      shell.finish([&](Frame frame) { return SplitGrid(frame, *form, schedule).blocks; },
                   [&](Frame frame) {
                     return SplitGrid(frame, *form, schedule).scratchBytes(frame.builder, schedule);
                   });
  parts.then = std::make_shared<const DeviceKernel>(
      emitJoinParts(op, *form, schedule, (name + "_adding").str(), emissions));
  return parts;
}

} // namespace weft::gpu
