// What the gradient of attention has to know of a query beside its row.
#include "codegen/gpu/attention/RowConstants.h"

#include "codegen/emit/math/VectorMath.h"

#include "llvm/ADT/bit.h"

using namespace llvm;

namespace weft::gpu {

// Below, half a last place is 4e-6, which a weight may be off by.
static constexpr double coarse = 128;

RowConstants::RowConstants(const AttentionBuffers &buffers, Team &team, int64_t count, Value *cells)
    : buffers(buffers), form(buffers.form), b(buffers.frame.builder), team(team), count(count),
      each(std::min<int64_t>(cuda::warpThreads, llvm::bit_floor(team.size() / uint64_t(count)))),
      cells(cells), query(b.CreateUDiv(team.lane(), b.getInt64(each))),
      part(b.CreateURem(team.lane(), b.getInt64(each))) {}

Value *RowConstants::number(double value) const {
  return ConstantFP::get(b.getFloatTy(), value);
}

Value *RowConstants::cell(int64_t list, Value *query) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), cells,
                             b.CreateNSWAdd(b.getInt64(list * count), query));
}

Value *RowConstants::load(int64_t list, Value *query) const {
  return b.CreateLoad(b.getFloatTy(), cell(list, query));
}

void RowConstants::store(int64_t list, Value *value) {
  b.CreateStore(value, cell(list, query));
}

void RowConstants::read(Value *first) {
  Value *row = b.CreateNSWAdd(first, query), *zero = b.getInt64(0);
  Value *mine = b.CreateICmpSLT(query, b.getInt64(count));
  Value *inside = b.CreateAnd(mine, b.CreateICmpSLT(row, buffers.frame.extent(form.rows)));
  Value *values = buffers.frame.extent(form.values);
  Values found = choose(
      b, inside,
      [&] {
        Values sum =
            carryingLoop(b, part, values, b.getInt64(each), {number(0)},
                         [&](Value *value, ArrayRef<Value *> carried) {
                           auto load = [&](unsigned buffer) {
                             return buffers.load(buffer, {form.rows, row}, {form.values, value});
                           };
                           Value *gradient = load(form.gradient),
                                 *output = load(form.output.front());
                           return Values{b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                                           {gradient, output, carried[0]})};
                         });
        return Values{sum[0], buffers.load(form.lse.front(), {form.rows, row}, {{}, zero})};
      },
      [&] { return Values(2, number(0)); });
  Value *product = team.foldNeighbours({found[0]}, unsigned(each), [&](auto x, auto y) {
    return Team::Several{b.CreateFAdd(x[0], y[0])};
  })[0];
  when(b, b.CreateAnd(mine, b.CreateICmpEQ(part, zero)), [&] {
    store(0, found[1]);
    store(1, number(0));
    store(2, product);
  });
}

Value *RowConstants::isCoarse(IRBuilderBase &b, Value *logsumexp) {
  auto number = [&](double value) { return ConstantFP::get(b.getFloatTy(), value); };
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, logsumexp);
  return b.CreateAnd(b.CreateFCmpOGT(size, number(coarse)),
                     b.CreateFCmpOLT(size, number(INFINITY)));
}

/// Of all of the tile, so that all threads find the same.
Value *RowConstants::anyIsCoarse() const {
  return carryingLoop(
      b, b.getInt64(0), b.getInt64(count), b.getInt64(1), {b.getFalse()},
      [&](Value *query, ArrayRef<Value *> carried) {
        return Values{b.CreateOr(carried[0], isCoarse(b, shift(query)))};
      },
      /*unroll=*/4)[0];
}

Value *RowConstants::refine(Value *first) {
  Value *coarse = anyIsCoarse();
  refine(first, b.getInt64(1), coarse);
  return coarse;
}

void RowConstants::refine(Value *first, Value *step, Value *coarse) {
  when(b, coarse, [&] {
    team.barrier(); // all have read what is coarse
    ScoreMask mask(buffers.frame, buffers.op, form);
    mask.scope([&] { findStatistics(first, step, mask); });
    team.barrier();
  });
}

void RowConstants::findStatistics(Value *first, Value *step, ScoreMask &mask) {
  Value *row = b.CreateNSWAdd(first, b.CreateNSWMul(query, step));
  Value *mine = b.CreateICmpSLT(query, b.getInt64(count));
  Value *inside = b.CreateAnd(mine, b.CreateICmpSLT(row, buffers.frame.extent(form.rows)));
  Values none{number(-INFINITY), number(0)};
  Values own = choose(
      b, inside,
      [&] {
        return carryingLoop(b, part, buffers.frame.extent(form.keys), b.getInt64(each), none,
                            [&](Value *key, ArrayRef<Value *> carried) {
                              return choose(
                                  b, mask.keeps(buffers.batch, row, key),
                                  [&] {
                                    Value *product = score(row, key);
                                    auto [found, slope] =
                                        mask.score(buffers.batch, row, key, product);
                                    return joined(carried, {found, number(1)});
                                  },
                                  [&] { return Values(carried); });
                            });
      },
      [&] { return none; });
  Team::Several all = team.foldNeighbours({own[0], own[1]}, unsigned(each), [&](auto x, auto y) {
    Values both = joined(x, y);
    return Team::Several{both[0], both[1]};
  });
  when(b, b.CreateAnd(mine, b.CreateICmpEQ(part, b.getInt64(0))), [&] {
    Value *empty = b.CreateFCmpOEQ(all[1], number(0));
    store(0, all[0]);
    store(1, b.CreateSelect(empty, number(0), math::log(b, all[1])));
  });
}

/// The same products in the same order as those of a tile by fused multiply-adds.
Value *RowConstants::score(Value *row, Value *key) const {
  Values sum = carryingLoop(
      b, b.getInt64(0), buffers.frame.extent(form.depth), b.getInt64(1), {number(0)},
      [&](Value *at, ArrayRef<Value *> carried) {
        Value *q = buffers.load(form.q, {form.rows, row}, {form.depth, at});
        Value *k = buffers.load(form.k, {form.keys, key}, {form.depth, at});
        return Values{b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {q, k, carried[0]})};
      });
  return b.CreateFMul(sum[0], number(form.scale));
}

Values RowConstants::joined(ArrayRef<Value *> one, ArrayRef<Value *> other) const {
  Value *highest = math::maximum(b, one[0], other[0]);
  Value *none = b.CreateFCmpOEQ(highest, number(-INFINITY));
  Value *shift = b.CreateSelect(none, number(0), highest);
  auto brought = [&](ArrayRef<Value *> all) {
    return b.CreateFMul(all[1], math::exp(b, b.CreateFSub(all[0], shift)));
  };
  Value *left = brought(one), *right = brought(other);
  return {highest, b.CreateFAdd(left, right)};
}

} // namespace weft::gpu
