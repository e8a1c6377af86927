// Attention by mma.sync: each warp has sixteen queries, whose scores, weights and sums stay in its
// registers; keys and values come into two stages of shared memory in turn (Dao, arXiv:2307.08691).
#include "codegen/gpu/attention/MmaAttention.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/math/VectorMath.h"
#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/attention/MmaSoftmax.h"
#include "codegen/gpu/attention/ScoreMask.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/contraction/Pieces.h"
#include "codegen/gpu/contraction/RingSide.h"
#include "codegen/gpu/instructions/Copy.h"
#include "codegen/gpu/instructions/Mma.h"

using namespace llvm;

namespace weft::gpu {

namespace {

constexpr Element bf16 = Element::bfloat16;
constexpr unsigned product = mmaDepth(bf16); // queries, keys, elements of the depth of a step

/// How many blocks of queries there are, for all positions of the batch. i64.
struct QueryGrid {
  Value *rows, *rowBlocks, *blocks;

  QueryGrid(Frame frame, const AttentionForm &form, cuda::MmaAttentionAttr schedule)
      : rows(frame.extent(form.rows)),
        rowBlocks(ceilDiv(frame.builder, rows, frame.builder.getInt64(schedule.rows()))),
        blocks(frame.builder.CreateNSWMul(frame.extent(form.batch), rowBlocks)) {}
};

class MmaAttention {
public:
  MmaAttention(Frame frame, kernel::FusedOp op, const AttentionForm &form,
               cuda::MmaAttentionAttr schedule, ArrayRef<unsigned> alignments)
      : frame(frame), b(frame.builder), op(op), form(form), schedule(schedule),
        alignments(alignments), values(*frame.emission.known(sizeOf(form.values))),
        deep(unsigned(cuda::wholeRow(*frame.emission.known(sizeOf(form.depth))))),
        wide(unsigned(cuda::wholeRow(values))), grid(frame, form, schedule), mask(frame, op, form),
        buffers{frame, op, form, nullptr}, softmax(b), shared(dynamicShared(b)) {}

  void emit() {
    Value *block = b.CreateZExt(blockOf(b, 0), b.getInt64Ty());
    buffers.batch = b.CreateUDiv(block, grid.rowBlocks);
    row0 = b.CreateNSWMul(b.CreateURem(block, grid.rowBlocks), b.getInt64(schedule.rows()));
    keyCount = frame.extent(form.keys);
    Value *ofWarp = b.CreateMul(warpOf(b), b.getInt32(mmaRows));
    for (unsigned half = 0; half < 2; ++half)
      rows[half] = b.CreateNSWAdd(row0, wider(b.CreateAdd(ofWarp, Sums::rowOf(b, half))));
    mask.scope([&] {
      bringQueries(ofWarp);
      finish(throughKeys());
    });
  }

private:
  Value *zero() { return b.getInt64(0); }
  Value *wider(Value *number) { return b.CreateZExt(number, b.getInt64Ty()); }
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  unsigned keys() const { return unsigned(schedule.getKeys()); }
  unsigned threads() const { return unsigned(schedule.threads()); }
  unsigned keyBytes() const { return keys() * deep * 2; }
  unsigned stageBytes() const { return keyBytes() + keys() * wide * 2; }
  unsigned queryBytes() const { return unsigned(schedule.rows()) * deep * 2; }

  /// A buffer whose tiles of `wide` elements across begin at the first one, or at `begin`.
  Side sideOf(unsigned buffer, ArrayRef<DimAttr> across, ArrayRef<DimAttr> depth) {
    auto layout = cast<LayoutAttr>(op.getLayoutsAttr()[buffer]);
    auto walk = [&](ArrayRef<DimAttr> dims) { return walkOver(frame.emission.dims, layout, dims); };
    constexpr unsigned bytes = 2;
    unsigned alignment = buffer < alignments.size() ? alignments[buffer] : bytes;
    Pieces pieces = piecesOf(walk(form.batch), walk(across), walk(depth), bytes, alignment);
    auto offsets = [&](ArrayRef<DimAttr> dims) -> Side::Offset {
      return [this, walk = walk(dims)](Value *index) {
        return frame.emission.offset(b, walk, index, frame.sizes);
      };
    };
    Value *start = buffers.place(buffer, {across, zero()}, {depth, zero()});
    return {b.CreateAddrSpaceCast(start, b.getPtrTy(globalSpace)), pieces.alongDepth,
            pieces.elements * bytes, offsets(across), offsets(depth)};
  }

  /// As left sides of products, which stay in registers.
  void bringQueries(Value *ofWarp) {
    Side side = sideOf(form.q, form.rows, form.depth);
    RingSide ring(b, {threads(), unsigned(schedule.rows()), deep, 2}, side, row0, grid.rows,
                  frame.extent(form.depth));
    ring.fill(shared, zero());
    commitCopies(b);
    waitForCopies(b, 0);
    barrier(b);
    for (unsigned d = 0; d < deep; d += product)
      queries.push_back(loadLeft(b, ring.tile(shared), bf16, !side.alongDepth, ofWarp, d));
  }

  Value *stageOf(Value *block) {
    Value *odd = b.CreateTrunc(b.CreateAnd(block, 1), b.getInt32Ty());
    return offset(b, offset(b, shared, queryBytes()), b.CreateMul(odd, b.getInt32(stageBytes())));
  }

  MaskBounds::Verdict judge(Value *key0) {
    TaskRange block{buffers.batch, row0,
                    minimum(b, b.getInt64(schedule.rows()), b.CreateNSWSub(grid.rows, row0)), key0,
                    minimum(b, b.getInt64(keys()), b.CreateNSWSub(keyCount, key0))};
    return mask.judge(block);
  }

  /// i1: whether the block of keys is there, and some query looks at it.
  Value *matters(Value *block) {
    Value *key0 = b.CreateNSWMul(block, b.getInt64(keys()));
    return b.CreateAnd(b.CreateICmpSLT(key0, keyCount), b.CreateNot(judge(key0).never));
  }

  SoftmaxState throughKeys() {
    keySide = sideOf(form.k, form.depth, form.keys);
    valueSide = sideOf(form.v, form.values, form.keys);
    RingSide keyRing(b, {threads(), deep, keys(), 2}, keySide, zero(), frame.extent(form.depth),
                     keyCount);
    RingSide valueRing(b, {threads(), wide, keys(), 2}, valueSide, zero(),
                       frame.extent(form.values), keyCount);
    auto fill = [&](Value *block, Value *isWanted) {
      when(b, isWanted, [&] {
        Value *stage = stageOf(block), *key0 = b.CreateNSWMul(block, b.getInt64(keys()));
        keyRing.fill(stage, key0);
        valueRing.fill(offset(b, stage, keyBytes()), key0);
      });
      commitCopies(b);
    };
    fill(zero(), matters(zero()));
    Value *blocks = ceilDiv(b, keyCount, b.getInt64(keys()));
    SoftmaxState first = softmax.begin(wide / mmaColumns);
    Values all = carryingLoop(
        b, zero(), blocks, b.getInt64(1), first.packed(),
        [&](Value *block, ArrayRef<Value *> carried) {
          Value *next = b.CreateNSWAdd(block, b.getInt64(1));
          Value *own = matters(block), *other = matters(next);
          return choose(
              b, b.CreateOr(own, other),
              [&] {
                // This block is there for all, and the one before is no longer read by any.
                waitForCopies(b, 0);
                barrier(b);
                fill(next, other);
                return choose(
                    b, own,
                    [&] {
                      Value *stage = stageOf(block);
                      return addKeys(SoftmaxState::of(carried), keyRing.tile(stage),
                                     valueRing.tile(offset(b, stage, keyBytes())), block)
                          .packed();
                    },
                    [&] { return Values(carried); });
              },
              [&] { return Values(carried); });
        });
    return SoftmaxState::of(all);
  }

  SoftmaxState addKeys(SoftmaxState state, const SharedTile &keyTile, const SharedTile &valueTile,
                       Value *block) {
    SmallVector<Sums> scores;
    for (unsigned j = 0; j < keys(); j += 2 * mmaColumns) {
      Sums two[] = {Sums::zero(b), Sums::zero(b)};
      for (unsigned d = 0; d < deep; d += product) {
        // A tile whose rows are keys lies along what is summed here.
        auto rights = loadRight(b, keyTile, bf16, keySide.alongDepth, b.getInt32(j), d);
        for (unsigned i = 0; i < 2; ++i)
          two[i] = multiply(b, bf16, queries[d / product], rights[i], two[i]);
      }
      append_range(scores, two);
    }
    for (Sums &each : scores)
      for (Value *&score : each.values)
        score = b.CreateFMul(score, number(form.scale));
    scores = masked(std::move(scores), b.CreateNSWMul(block, b.getInt64(keys())));
    softmax.weigh(state, scores);
    for (unsigned k = 0; k < keys(); k += product) {
      auto [high, low] = softmax.lefts(scores[k / mmaColumns], scores[k / mmaColumns + 1]);
      for (unsigned j = 0; j < wide; j += 2 * mmaColumns) {
        auto rights = loadRight(b, valueTile, bf16, !valueSide.alongDepth, b.getInt32(j), k);
        for (unsigned i = 0; i < 2; ++i) {
          Sums &sums = state.sums[j / mmaColumns + i];
          sums = multiply(b, bf16, low, rights[i], sums);
          sums = multiply(b, bf16, high, rights[i], sums);
        }
      }
    }
    return state;
  }

  /// -inf where a key is none, or hidden.
  SmallVector<Sums> masked(SmallVector<Sums> scores, Value *key0) {
    Value *column = b.CreateNSWAdd(key0, wider(Sums::columnOf(b)));
    auto key = [&](unsigned j, unsigned i) {
      return b.CreateNSWAdd(column, b.getInt64(j * mmaColumns + i % 2));
    };
    Value *hidden = number(-INFINITY);
    auto change = [&](function_ref<Value *(Value * row, Value * key)> keeps) {
      Values all;
      for (auto [j, each] : enumerate(scores))
        for (auto [i, score] : enumerate(each.values))
          all.push_back(b.CreateSelect(keeps(rows[i / 2], key(j, i)), score, hidden));
      return all;
    };
    auto same = [&] {
      Values all;
      for (const Sums &each : scores)
        append_range(all, each.values);
      return all;
    };
    Value *last = b.CreateNSWAdd(key0, b.getInt64(keys()));
    Value *seen = b.CreateICmpSLE(last, keyCount);
    if (form.mask)
      seen = b.CreateAnd(seen, judge(key0).always);
    Values all = choose(b, seen, same, [&] {
      return change([&](Value *row, Value *key) {
        Value *exists = b.CreateICmpSLT(key, keyCount);
        return form.mask ? b.CreateAnd(exists, mask.keeps(buffers.batch, row, key)) : exists;
      });
    });
    for (auto [j, each] : enumerate(scores))
      copy(ArrayRef(all).slice(j * 4, 4), each.values.begin());
    return scores;
  }

  void finish(const SoftmaxState &state) {
    for (unsigned half = 0; half < 2; ++half) {
      Value *total = softmax.amongKeys(state.total[half],
                                       [&](Value *x, Value *y) { return b.CreateFAdd(x, y); });
      Value *empty = b.CreateFCmpOEQ(total, number(0));
      Value *row = rows[half];
      when(b, b.CreateICmpSLT(row, grid.rows), [&] {
        Value *inverse = b.CreateFDiv(number(1), total);
        Value *first = wider(Sums::columnOf(b));
        for (unsigned output : form.output)
          for (auto [j, sums] : enumerate(state.sums))
            for (unsigned i = 0; i < 2; ++i) {
              Value *column = b.CreateNSWAdd(first, b.getInt64(j * mmaColumns + i));
              Value *value = b.CreateFMul(sums.values[2 * half + i], inverse);
              value = b.CreateSelect(empty, number(0), value);
              when(b, b.CreateICmpSLT(column, b.getInt64(values)),
                   [&] { store(value, output, row, column); });
            }
        when(b, b.CreateICmpEQ(first, zero()), [&] {
          Value *sum = b.CreateFAdd(state.highest[half], math::log(b, total));
          for (unsigned lse : form.lse)
            store(b.CreateSelect(empty, number(-INFINITY), sum), lse, row, zero());
        });
      });
    }
  }

  void store(Value *value, unsigned buffer, Value *row, Value *column) {
    buffers.store(value, buffer, {form.rows, row}, {form.values, column});
  }

  Frame frame;
  IRBuilderBase &b;
  kernel::FusedOp op;
  const AttentionForm &form;
  cuda::MmaAttentionAttr schedule;
  ArrayRef<unsigned> alignments;
  int64_t values;
  unsigned deep, wide; ///< of tiles: whole products, in rows as they are mixed
  QueryGrid grid;
  ScoreMask mask;
  AttentionBuffers buffers;
  MmaSoftmax softmax;
  Value *shared; ///< queries, then two stages of keys and values
  Value *row0 = nullptr, *keyCount = nullptr, *rows[2] = {};
  SmallVector<LeftFragment> queries;
  Side keySide, valueSide;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitMmaAttention(kernel::FusedOp op, cuda::MmaAttentionAttr schedule,
                                               StringRef name, Emissions emissions,
                                               ArrayRef<unsigned> alignments) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  auto known = [&](const DimList &dims) { return *emissions.device.known(sizeOf(dims)); };
  KernelShell shell(
      op, name, emissions,
      {.threads = unsigned(schedule.threads()),
       .shared = unsigned(schedule.sharedBytes(known(form->depth), known(form->values)))});
  MmaAttention(shell.frame(), op, *form, schedule, alignments).emit();
  return shell.finish([&](Frame frame) { return QueryGrid(frame, *form, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
