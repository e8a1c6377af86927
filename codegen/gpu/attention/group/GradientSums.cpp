// Of a block of the gradient of attention: products, weights between them, and what is summed up.
#include "codegen/gpu/attention/group/GradientBlock.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/group/Softmax.h"
#include "codegen/gpu/base/DeviceMath.h"
#include "codegen/gpu/base/Team.h"

#include <numbers>

using namespace llvm;

namespace weft::gpu {

static constexpr Element bf16 = Element::bfloat16;
static constexpr unsigned consumerBarrier = 1;

/// What is summed up along the depth, and along values: registers of 64 rows of each, or none. Who
/// owns queries has these and their gradients in registers too, as left sides: there is room, and
/// shared memory is read less.
struct GradientBlock::State {
  Values depth, values;
  Values ownDepth, ownValues;

  Values packed() const {
    Values all(depth);
    for (const Values &each : {values, ownDepth, ownValues})
      append_range(all, each);
    return all;
  }
};

void GradientBlock::multiply(Value *group) {
  ownGroup = group;
  groupFirst = b.CreateAdd(own0, b.CreateMul(group, b.getInt32(groupRows)));
  Team team = Team::behind(b, threadsOfGroup, tiles.consumers * threadsOfGroup, consumerBarrier);
  RowConstants known(buffers, team, tiles.queries(owner), nullptr);
  Value *zero = b.getInt32(0);
  mask.scope([&] {
    waitForPhase(b, ownFull(), zero);
    if (ofQueries()) {
      waitForPhase(b, constantsFull(zero), zero);
      ownCoarse = isCoarse(zero);
      refine(known, zero, {own0, ownPart}, ownCoarse);
    }
    State sums = throughOthers(known);
    write(ofQueries() ? form.dq : form.dk, form.depth, sums.depth, form.scale);
    write(ofQueries() ? SmallVector<unsigned>() : form.dv, form.values, sums.values, 1);
  });
}

Value *GradientBlock::isCoarse(Value *stage) {
  Value *any = b.getFalse();
  for (unsigned watcher = 0; watcher < tiles.watchers; ++watcher) {
    Value *said = b.CreateLoad(b.getInt32Ty(), flag(stage, watcher));
    any = b.CreateOr(any, b.CreateICmpNE(said, b.getInt32(0)));
  }
  return any;
}

void GradientBlock::refine(RowConstants &known, Value *stage, const Tile &queries, Value *coarse) {
  known.liesAt(b.CreateAddrSpaceCast(constants(stage), b.getPtrTy()));
  known.refine(rowOf(queries.first, queries.part), parts, coarse);
}

GradientBlock::State GradientBlock::throughOthers(RowConstants &known) {
  bool alongDepth = !(ofQueries() ? form.dq : form.dk).empty();
  bool alongValues = !ofQueries() && !form.dv.empty();
  ConsumerPlace begin = ring.consumer(b);
  State first;
  first.depth.assign(alongDepth ? tiles.depth / 2 : 0, number(0));
  first.values.assign(alongValues ? tiles.values / 2 : 0, number(0));
  if (ofQueries()) {
    first.ownDepth = leftsOf(ownDepth(ownGroup));
    first.ownValues = leftsOf(ownValues(ownGroup));
  }
  Values initial = {begin.stage, begin.parity, tileFrom(b.getInt32(0))};
  append_range(initial, first.packed());
  auto stateOf = [&](ArrayRef<Value *> at) {
    State state;
    at = at.drop_front(3);
    for (auto [to, like] : {std::pair(&state.depth, &first.depth),
                            {&state.values, &first.values},
                            {&state.ownDepth, &first.ownDepth},
                            {&state.ownValues, &first.ownValues}}) {
      *to = Values(at.take_front(like->size()));
      at = at.drop_front(like->size());
    }
    return state;
  };
  Values all = repeatWhile(
      b, initial, [&](ArrayRef<Value *> at) { return exists(at[2]); },
      [&](ArrayRef<Value *> at) {
        ConsumerPlace place = {at[0], at[1]};
        State sums;
        Value *next;
        std::tie(sums, next) = add(stateOf(at), place, at[2], known);
        place = ring.next(b, place);
        Values result = {place.stage, place.parity, next};
        append_range(result, sums.packed());
        return result;
      });
  return stateOf(all);
}

/// Of all of its columns, one product deep after the other.
Values GradientBlock::leftsOf(const Panels &own) {
  Value *warp = b.CreateAnd(warpOf(b), warpsOfGroup - 1);
  Value *row = b.CreateMul(warp, b.getInt32(mmaRows));
  Values all;
  for (unsigned deep = 0; deep < own.columns; deep += mmaDepth(bf16))
    append_range(all, own.left(b, row, deep).registers);
  return all;
}

/// `lefts`: what is owned in registers, if it is there too.
PendingAccumulators GradientBlock::product(const Panels &own, ArrayRef<Value *> lefts,
                                           const Panels &right) {
  auto scores = PendingAccumulators::begin(b, Accumulators::zero(b, tiles.columns));
  Value *zero = b.getInt32(0);
  for (unsigned deep = 0; deep < own.columns; deep += mmaDepth(bf16)) {
    GroupProduct product = {.columns = tiles.columns,
                            .element = bf16,
                            .leftInRegisters = !lefts.empty(),
                            .keeps = deep > 0};
    Value *from = right.rowsFrom(b, zero, deep);
    if (lefts.empty()) {
      scores.add(b, product, own.rowsFrom(b, zero, deep), from);
    } else {
      ArrayRef<Value *> four = lefts.slice(deep / mmaDepth(bf16) * 4, 4);
      scores.add(b, product, LeftFragment{{four[0], four[1], four[2], four[3]}}, from);
    }
  }
  commitProducts(b);
  return scores;
}

/// While the second products are under way weights are worked out. Fragments are written when none
/// is: ptxas lets no product overlap whose registers are written meanwhile.
std::pair<GradientBlock::State, Value *> GradientBlock::add(const State &before,
                                                            ConsumerPlace place, Value *tileNumber,
                                                            RowConstants &known) {
  Tile other = tile(tileNumber);
  Panels depth = otherDepth(place.stage), values = otherValues(place.stage);
  ring.waitUntilFull(b, place);
  State after;
  PendingAccumulators pendingScores = product(ownDepth(ownGroup), before.ownDepth, depth);
  PendingAccumulators pendingSlopes = product(ownValues(ownGroup), before.ownValues, values);
  Value *coarse = ownCoarse;
  if (!ofQueries()) {
    waitForPhase(b, constantsFull(place.stage), place.parity);
    coarse = isCoarse(place.stage);
    refine(known, place.stage, other, coarse);
  }
  Accumulators scores = std::move(pendingScores).wait(b, 1, &after.ownDepth);
  Values weights = belowZero(scores.registers(), other, place.stage, coarse, known);
  for (Value *&weight : weights)
    weight = exp2Approximately(b, b.CreateFMul(weight, number(std::numbers::log2e)));
  weights = masked(weights, other);
  Accumulators slopes = std::move(pendingSlopes).wait(b, 0, &after.ownValues);
  Values products = constantsOf(2, place.stage), gradients;
  for (auto [i, slope] : enumerate(slopes.registers()))
    gradients.push_back(b.CreateFMul(weights[i], b.CreateFSub(slope, products[i])));
  SmallVector<LeftFragment> ofWeights, ofGradients;
  if (!before.values.empty())
    ofWeights = fragmentsOf(weights);
  if (!before.depth.empty())
    ofGradients = fragmentsOf(gradients);
  std::optional<PendingAccumulators> depthSums, valueSums;
  if (!before.values.empty())
    valueSums = sum(before.values, ofWeights, values);
  if (!before.depth.empty())
    depthSums = sum(before.depth, ofGradients, depth);
  Value *next = tileFrom(following(tileNumber));
  if (valueSums)
    after.values = Values(std::move(*valueSums).wait(b, depthSums ? 1 : 0).registers());
  if (depthSums)
    after.depth = Values(std::move(*depthSums).wait(b).registers());
  warpBarrier(b); // all lanes have read what is known of queries
  when(b, elected(b), [&] { ring.release(b, place); });
  return {after, next};
}

SmallVector<LeftFragment> GradientBlock::fragmentsOf(ArrayRef<Value *> numbers) {
  SmallVector<LeftFragment> fragments = packedRows(b, numbers);
  if (tiles.parts == 2)
    append_range(fragments, packedRows(b, leftBy(b, numbers, fragments)));
  return fragments;
}

/// The small parts come first, while sums are small too.
PendingAccumulators GradientBlock::sum(ArrayRef<Value *> before, ArrayRef<LeftFragment> left,
                                       const Panels &right) {
  auto sums = PendingAccumulators::begin(b, Accumulators::of(before));
  unsigned steps = tiles.columns / mmaDepth(bf16);
  for (unsigned part = tiles.parts; part-- > 0;)
    for (unsigned step = 0; step < steps; ++step)
      sums.add(b,
               {.columns = right.columns,
                .element = bf16,
                .leftInRegisters = true,
                .rightTransposed = true},
               left[part * steps + step], right.columnsOver(b, step * mmaDepth(bf16)));
  commitProducts(b);
  return sums;
}

GradientBlock::Place GradientBlock::placeOf(unsigned score, const Tile &other) {
  unsigned pair = score / 2;
  Value *across = b.CreateAdd(Accumulators::columnOf(b, pair), b.getInt32(score % 2));
  return placeAt(Accumulators::rowOf(b, pair), across, other);
}

GradientBlock::Place GradientBlock::placeAt(Value *down, Value *across, const Tile &other) {
  Value *own = b.CreateAdd(groupFirst, down), *beside = b.CreateAdd(other.first, across);
  Value *query = ofQueries() ? own : beside, *key = wide(ofQueries() ? beside : own);
  Value *exists =
      b.CreateAnd(b.CreateICmpULT(wide(query), rowCount), b.CreateICmpULT(key, keyCount));
  return {rowOf(query, other.part), key,
          ofQueries() ? b.CreateAdd(b.CreateMul(ownGroup, b.getInt32(groupRows)), down) : across,
          exists};
}

Value *GradientBlock::constant(unsigned list, Value *query, Value *stage) {
  Value *at = b.CreateAdd(query, b.getInt32(list * tiles.queries(owner)));
  return b.CreateInBoundsGEP(b.getFloatTy(), constants(stage), at);
}

/// Two queries side by side, or one for each of the lane's rows, are read once.
Values GradientBlock::constantsOf(unsigned list, Value *stage) {
  unsigned count = groupRows * tiles.columns / threadsOfGroup;
  Values all(count);
  if (ofQueries()) {
    Value *first = b.CreateMul(ownGroup, b.getInt32(groupRows));
    for (unsigned row = 0; row < 2; ++row) {
      Value *query = b.CreateAdd(first, Accumulators::rowOf(b, row));
      Value *read = b.CreateLoad(b.getFloatTy(), constant(list, query, stage));
      for (unsigned i = 0; i < count; ++i)
        if (rowOfRegister(i) == row)
          all[i] = read;
    }
    return all;
  }
  Type *both = FixedVectorType::get(b.getFloatTy(), 2);
  for (unsigned pair = 0; pair < count / 2; pair += 2) {
    Value *read =
        b.CreateAlignedLoad(both, constant(list, Accumulators::columnOf(b, pair), stage), Align(8));
    for (unsigned i = 0; i < 4; ++i)
      all[2 * pair + i] = b.CreateExtractElement(read, i % 2);
  }
  return all;
}

/// The logarithm of each weight. Where a query is coarse they are found one after the other, and
/// wait in the thread's own memory: beside all sums there are no registers for what that takes.
Values GradientBlock::belowZero(ArrayRef<Value *> scores, const Tile &other, Value *stage,
                                Value *coarse, RowConstants &known) {
  return choose(
      b, coarse,
      [&] {
        Value *slots = stackSlot(b, b.getFloatTy(), int64_t(scores.size()), 16);
        auto slot = [&](Value *number) {
          return b.CreateInBoundsGEP(b.getFloatTy(), slots, number);
        };
        auto within = [&](Value *index, Value *count) {
          return minimum(b, index, b.CreateNSWSub(count, b.getInt64(1)));
        };
        loop(b, b.getInt64(int64_t(scores.size())), [&](Value *number) {
          auto bits = [&](unsigned from, unsigned mask) {
            return b.CreateAnd(b.CreateLShr(narrow(number), from), mask);
          };
          // As registers of sums are numbered: Accumulators::rowOf, columnOf.
          Value *down = b.CreateAdd(Accumulators::rowOf(b, 0), b.CreateShl(bits(1, 1), 3));
          Value *across = b.CreateAdd(Accumulators::columnOf(b, 0),
                                      b.CreateAdd(b.CreateShl(bits(2, ~0u), 3), bits(0, 1)));
          Place at = placeAt(down, across, other);
          Value *score =
              known.score(within(at.row, frame.extent(form.rows)), within(at.key, keyCount));
          for (unsigned list : {0u, 1u})
            score =
                b.CreateFSub(score, b.CreateLoad(b.getFloatTy(), constant(list, at.query, stage)));
          b.CreateStore(score, slot(number));
        });
        Values all;
        for (unsigned i = 0; i < scores.size(); ++i)
          all.push_back(b.CreateLoad(b.getFloatTy(), slot(b.getInt64(i))));
        return all;
      },
      [&] {
        Values shifts = constantsOf(0, stage), all;
        for (auto [score, shift] : zip(scores, shifts))
          all.push_back(b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                          {score, this->number(form.scale), b.CreateFNeg(shift)}));
        return all;
      });
}

/// 0 where a query or a key is none, or hidden.
Values GradientBlock::masked(ArrayRef<Value *> weights, const Tile &other) {
  auto whole = [&](Value *first, unsigned count, Value *size) {
    return b.CreateICmpULE(wide(b.CreateAdd(first, b.getInt32(count))), size);
  };
  Value *seen = b.CreateAnd(whole(groupFirst, groupRows, ofQueries() ? rowCount : keyCount),
                            whole(other.first, tiles.columns, ofQueries() ? keyCount : rowCount));
  if (form.mask)
    seen = b.CreateAnd(seen, judge(other, groupFirst, groupRows).always);
  return choose(
      b, seen, [&] { return Values(weights); },
      [&] {
        Values all;
        for (auto [i, weight] : enumerate(weights)) {
          Place at = placeOf(unsigned(i), other);
          Value *kept = at.exists;
          if (form.mask)
            kept = b.CreateAnd(kept, mask.keeps(buffers.batch, at.row, at.key));
          all.push_back(b.CreateSelect(kept, weight, number(0)));
        }
        return all;
      });
}

void GradientBlock::write(ArrayRef<unsigned> results, const DimList &along, ArrayRef<Value *> sums,
                          double factor) {
  if (results.empty())
    return;
  const DimList &dims = ofQueries() ? form.rows : form.keys;
  Accumulators all = Accumulators::of(sums);
  for (unsigned half = 0; half < 2; ++half) {
    Value *own = b.CreateAdd(groupFirst, Accumulators::rowOf(b, half));
    Value *row = ofQueries() ? rowOf(own, ownPart) : wide(own);
    when(b, b.CreateICmpULT(wide(own), ofQueries() ? rowCount : keyCount), [&] {
      for (unsigned pair = half; pair < all.pairs(); pair += 2) {
        auto [one, second] = all.pairOf(pair);
        Value *column = wide(Accumulators::columnOf(b, pair));
        for (unsigned result : results)
          buffers.storePair(b.CreateFMul(one, number(factor)), b.CreateFMul(second, number(factor)),
                            result, {dims, row}, {along, column}, kernel.alignments);
      }
    });
  }
}

} // namespace weft::gpu
