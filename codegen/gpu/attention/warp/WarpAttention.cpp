// Attention by matrix instructions of a warp: scores of its queries and some keys at a time, in
// registers; the highest score and the sum of weights of a row go along (Milakov, Gimelshein,
// arXiv:1805.02867).
#include "codegen/gpu/attention/warp/WarpAttention.h"

#include "codegen/emit/math/VectorMath.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/attention/SoftmaxState.h"
#include "codegen/gpu/attention/warp/Fragments.h"
#include "codegen/gpu/attention/warp/TileRing.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"

using namespace llvm;

namespace weft::gpu {

namespace {

Value *rowBlocks(Frame frame, const AttentionForm &form, cuda::MmaAttentionAttr schedule) {
  return ceilDiv(frame.builder, frame.extent(form.rows),
                 frame.builder.getInt64(schedule.getRows()));
}

class WarpAttention {
public:
  WarpAttention(Frame frame, kernel::FusedOp op, const AttentionForm &form,
                cuda::MmaAttentionAttr schedule, ArrayRef<unsigned> alignments)
      : frame(frame), b(frame.builder), form(form), schedule(schedule), keys(schedule.getKeys()),
        values(frame.emission.known(sizeOf(form.values)).value_or(0)),
        team(b, threads(), threads()), mask(frame, op, form), buffers{frame, op, form, batchOf()},
        tile(b, schedule.getRows(), schedule.getWarps(), form.narrowWeights ? 1 : 2),
        shared(dynamicShared(b)),
        q(buffers, form.q, shape(form.rows, form.depth, schedule.getRows()), alignments),
        k(buffers, form.k, shape(form.keys, form.depth, keys), alignments),
        v(buffers, form.v, shape(form.keys, form.values, keys), alignments) {}

  void emit() {
    Value *block = b.CreateURem(team.block(), rowBlocks(frame, form, schedule));
    row0 = b.CreateNSWMul(block, b.getInt64(schedule.getRows()));
    mask.scope([&] {
      q.fill(shared, row0);
      finish(throughKeys());
    });
  }

private:
  unsigned threads() const { return unsigned(schedule.threads()); }
  Value *batchOf() { return b.CreateUDiv(team.block(), rowBlocks(frame, form, schedule)); }
  StagedMatrix::Shape shape(const DimList &rows, const DimList &columns, int64_t tile) const {
    int64_t count = frame.emission.known(sizeOf(columns)).value_or(0);
    return {rows, columns, unsigned(tile), unsigned(cuda::narrowColumns(count)), threads()};
  }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *row(unsigned which) { return b.CreateNSWAdd(row0, tile.row(which)); }

  using State = SoftmaxState;

  MaskBounds::Verdict judge(Value *key0) {
    Value *rows =
        minimum(b, b.getInt64(schedule.getRows()), b.CreateNSWSub(frame.extent(form.rows), row0));
    Value *count = minimum(b, b.getInt64(keys), b.CreateNSWSub(frame.extent(form.keys), key0));
    return mask.judge({buffers.batch, row0, rows, key0, count});
  }

  State throughKeys() {
    TileRing ring{b,
                  offset(b, shared, q.bytes()),
                  unsigned(schedule.getStages()),
                  k.bytes() + v.bytes(),
                  frame.extent(form.keys),
                  keys};
    size_t rows = tile.rowsEach();
    State first{tile.zero(v.columns()), Values(rows, number(-INFINITY)), Values(rows, number(0))};
    Values all = ring.through(
        first.packed(), [&](Value *key0) { return judge(key0).never; },
        [&](Value *stage, Value *key0) {
          k.fill(stage, key0);
          v.fill(offset(b, stage, k.bytes()), key0);
        },
        [&](Value *stage, Value *key0, ArrayRef<Value *> carried) {
          State state = State::of(carried, rows);
          Values weights = weigh(state, masked(tile.scores({q, shared}, {k, stage}, keys), key0));
          state.sums = tile.add(weights, keys, {v, offset(b, stage, k.bytes())}, state.sums);
          return state.packed();
        });
    return State::of(all, rows);
  }

  /// Scaled; -inf where a key is none, or hidden.
  Values masked(Values scores, Value *key0) {
    auto key = [&](unsigned i) { return b.CreateNSWAdd(key0, tile.column(i, keys)); };
    Value *hidden = number(-INFINITY);
    for (auto [i, score] : enumerate(scores)) {
      Value *exists = b.CreateICmpSLT(key(i), frame.extent(form.keys));
      score = b.CreateSelect(exists, b.CreateFMul(score, number(form.scale)), hidden);
    }
    if (!form.mask)
      return scores;
    return choose(
        b, judge(key0).always, [&] { return scores; },
        [&] {
          Values kept;
          for (auto [i, score] : enumerate(scores)) {
            Value *keeps = mask.keeps(buffers.batch, row(WarpTile::rowOf(i, keys)), key(i));
            kept.push_back(b.CreateSelect(keeps, score, hidden));
          }
          return kept;
        });
  }

  /// Over the four lanes that have a row.
  Value *fold(Value *value, function_ref<Value *(Value *, Value *)> combine) {
    return team.foldNeighbours(
        {value}, 4, [&](auto x, auto y) { return Team::Several{combine(x[0], y[0])}; })[0];
  }

  /// Weights of scores, relative to the highest so far, which the state is brought to.
  Values weigh(State &state, ArrayRef<Value *> scores) {
    Values factors, weights, shifts;
    auto larger = [&](Value *x, Value *y) { return math::maximum(b, x, y); };
    for (unsigned which = 0; which < tile.rowsEach(); ++which) {
      Value *highest = state.highest[which];
      for (auto [i, score] : enumerate(scores))
        if (WarpTile::rowOf(i, keys) == which)
          highest = larger(highest, score);
      highest = fold(highest, larger);
      // Where all is hidden so far, weights are exp(-inf - 0) = 0.
      Value *none = b.CreateFCmpOEQ(highest, number(-INFINITY));
      Value *shift = b.CreateSelect(none, number(0), highest);
      Value *factor = exponentialBelowZero(b, b.CreateFSub(state.highest[which], shift));
      factors.push_back(factor);
      state.highest[which] = highest;
      state.total[which] = b.CreateFMul(state.total[which], factor);
      shifts.push_back(shift);
    }
    for (auto [i, score] : enumerate(scores)) {
      unsigned which = WarpTile::rowOf(i, keys);
      Value *weight = exponentialBelowZero(b, b.CreateFSub(score, shifts[which]));
      state.total[which] = b.CreateFAdd(state.total[which], weight);
      weights.push_back(weight);
    }
    for (auto [i, sum] : enumerate(state.sums))
      sum = b.CreateFMul(sum, factors[WarpTile::rowOf(i, v.columns())]);
    return weights;
  }

  void finish(const State &state) {
    for (unsigned which = 0; which < tile.rowsEach(); ++which) {
      Value *total =
          fold(state.total[which], [&](Value *x, Value *y) { return b.CreateFAdd(x, y); });
      Value *empty = b.CreateFCmpOEQ(total, number(0));
      when(b, b.CreateICmpSLT(row(which), frame.extent(form.rows)), [&] {
        Value *inverse = b.CreateFDiv(number(1), total);
        for (auto [i, sum] : enumerate(state.sums))
          if (WarpTile::rowOf(i, v.columns()) == which)
            writeValue(i, which, b.CreateSelect(empty, number(0), b.CreateFMul(sum, inverse)));
        Value *isFirst = b.CreateICmpEQ(tile.column(0, keys), b.getInt64(0));
        when(b, isFirst, [&] {
          Value *sum = b.CreateFAdd(state.highest[which], math::log(b, total));
          for (unsigned lse : form.lse)
            buffers.store(b.CreateSelect(empty, number(-INFINITY), sum), lse,
                          {form.rows, row(which)}, {form.values, b.getInt64(0)});
        });
      });
    }
  }

  void writeValue(unsigned i, unsigned which, Value *value) {
    Value *column = tile.column(i, v.columns());
    when(b, b.CreateICmpSLT(column, b.getInt64(values)), [&] {
      for (unsigned output : form.output)
        buffers.store(value, output, {form.rows, row(which)}, {form.values, column});
    });
  }

  Frame frame;
  IRBuilderBase &b;
  const AttentionForm &form;
  cuda::MmaAttentionAttr schedule;
  unsigned keys;
  int64_t values;
  Team team;
  ScoreMask mask;
  AttentionBuffers buffers;
  WarpTile tile;
  Value *shared; // queries, then stages of keys and values
  StagedMatrix q, k, v;
  Value *row0 = nullptr;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitWarpAttention(kernel::FusedOp op, cuda::MmaAttentionAttr schedule,
                                                StringRef name, Emissions emissions,
                                                ArrayRef<unsigned> alignments) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  auto known = [&](const DimList &dims) {
    return emissions.device.known(sizeOf(dims)).value_or(0);
  };
  unsigned shared = unsigned(schedule.sharedBytes(known(form->depth), known(form->values)));
  KernelShell shell(op, name, emissions,
                    {.threads = unsigned(schedule.threads()), .shared = shared});
  WarpAttention(shell.frame(), op, *form, schedule, alignments).emit();
  return shell.finish(
      [&](Frame frame) {
        return frame.builder.CreateNSWMul(frame.extent(form->batch),
                                          rowBlocks(frame, *form, schedule));
      },
      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
