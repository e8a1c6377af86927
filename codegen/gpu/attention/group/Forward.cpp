// Producer and consumers of attention: while a block's weights are worked out, its values and the
// next block's keys are multiplied.
#include "codegen/gpu/attention/group/Forward.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/group/Softmax.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

std::string GroupAttentionTiles::problem() const {
  for (unsigned columns : {depth, values})
    if (columns != 64 && columns != 128)
      return "queries, keys and values have 64 or 128 columns";
  if (keys != 64 && keys != 128)
    return "a block has 64 or 128 keys";
  if (stages < 2)
    return "two stages at least, for keys go ahead of values";
  if (weightParts != 1 && weightParts != 2)
    return "a weight is one or two numbers of bf16";
  if (sharedBytes() > 227 * 1024)
    return "stages take more shared memory than a block has";
  return "";
}

namespace {

constexpr Element bf16 = Element::bfloat16;
/// A thread's registers while it copies, and while it multiplies: together what the block began
/// with.
constexpr unsigned producerRegisters = 24, consumerRegisters = 240;

/// Of one block of keys, as the consumers know it when its scores are done.
struct Weights {
  RowStates states;
  SmallVector<LeftFragment> fragments; ///< of all keys; then what rounding left of them

  Values carried() const {
    Values all(states.carried());
    for (const LeftFragment &each : fragments)
      append_range(all, each.registers);
    return all;
  }
  static Weights of(ArrayRef<Value *> carried) {
    Weights weights = {RowStates::of(carried.take_front(4)), {}};
    for (ArrayRef<Value *> rest = carried.drop_front(4); !rest.empty(); rest = rest.drop_front(4))
      weights.fragments.push_back({{rest[0], rest[1], rest[2], rest[3]}});
    return weights;
  }
};

class Forward {
public:
  Forward(Builder &builder, const GroupAttentionTiles &tiles, const GroupAttentionInputs &inputs,
          Value *shared)
      : b(builder), tiles(tiles), inputs(inputs), shared(shared),
        barriers(offset(b, shared, tiles.sharedBytes() - tiles.barrierBytes())),
        keyRing(barriers, tiles.stages),
        valueRing(offset(b, barriers, MbarrierRing::bytes(tiles.stages)), tiles.stages),
        queriesFull{offset(b, barriers, 2 * MbarrierRing::bytes(tiles.stages))},
        softmax(b, inputs.scale) {}

  void emit(const GroupAttentionResults &results) {
    Value *warp = warpOf(b);
    emit::when(b, b.CreateICmpEQ(threadOf(b), b.getInt32(0)), [&] {
      for (const MbarrierRing &ring : {keyRing, valueRing})
        ring.make(b, tiles.consumers * warpsOfGroup);
      makeMbarrier(b, queriesFull, 1);
      publishMbarriers(b);
    });
    barrier(b);
    Value *group = b.CreateLShr(warp, Log2_32(warpsOfGroup));
    emit::choose(
        b, b.CreateICmpEQ(group, b.getInt32(0)),
        [&]() -> Values {
          shrinkRegisters(b, producerRegisters);
          emit::when(b, b.CreateICmpEQ(warp, b.getInt32(0)),
                     [&] { emit::when(b, elected(b), [&] { produce(); }); });
          return {};
        },
        [&]() -> Values {
          growRegisters(b, consumerRegisters);
          ownRow = b.CreateMul(b.CreateSub(group, b.getInt32(1)), b.getInt32(groupRows));
          ownQuery = b.CreateAdd(inputs.query0, ownRow);
          consume(results);
          return {};
        });
  }

private:
  Panels queryPanels() const { return {shared, tiles.queries(), tiles.depth}; }
  Panels keyPanels(Value *stage) const {
    Value *base = offset(b, shared, tiles.queryBytes());
    return {offset(b, base, b.CreateMul(stage, b.getInt32(tiles.keyBytes()))), tiles.keys,
            tiles.depth};
  }
  Panels valuePanels(Value *stage) const {
    Value *base = offset(b, shared, tiles.queryBytes() + tiles.stages * tiles.keyBytes());
    return {offset(b, base, b.CreateMul(stage, b.getInt32(tiles.valueBytes()))), tiles.keys,
            tiles.values};
  }

  Value *exists(Value *key) const { return b.CreateICmpULT(key, inputs.counts.keys); }
  Value *after(Value *key) const { return b.CreateAdd(key, b.getInt32(tiles.keys)); }
  /// The first block from `key` on that some query of the tile looks at. Whoever copies and whoever
  /// multiplies ask for the same ones.
  Value *blockFrom(Value *key) const {
    if (!inputs.mask.judge)
      return key;
    // With a branch, since nothing is to be judged beyond the last key.
    return emit::repeatWhile(
        b, {key},
        [&](ArrayRef<Value *> at) {
          return emit::choose(
              b, exists(at[0]),
              [&]() -> Values {
                return {
                    inputs.mask.judge({inputs.query0, tiles.queries(), at[0], tiles.keys}).never};
              },
              [&]() -> Values { return {b.getFalse()}; })[0];
        },
        [&](ArrayRef<Value *> at) -> Values { return {after(at[0])}; })[0];
  }

  /// One thread asks for all tiles: keys of a block before the values of the one before it, which
  /// is the order they are multiplied in.
  void produce() {
    arriveExpecting(b, queriesFull, b.getInt32(tiles.queryBytes()));
    queryPanels().load(b, inputs.queries, inputs.query0, queriesFull);
    ProducerPlace begin = keyRing.producer(b);
    Value *first = blockFrom(b.getInt32(0));
    emit::when(b, exists(first), [&] {
      ProducerPlace keys = loadKeys(begin, first);
      Values all = emit::repeatWhile(
          b, {keys.stage, keys.parity, begin.stage, begin.parity, first, blockFrom(after(first))},
          [&](ArrayRef<Value *> at) { return exists(at[5]); },
          [&](ArrayRef<Value *> at) -> Values {
            ProducerPlace keys = loadKeys({at[0], at[1]}, at[5]);
            ProducerPlace values = loadValues({at[2], at[3]}, at[4]);
            return {keys.stage,    keys.parity, values.stage,
                    values.parity, at[5],       blockFrom(after(at[5]))};
          });
      loadValues({all[2], all[3]}, all[4]);
    });
  }

  ProducerPlace loadKeys(ProducerPlace place, Value *key) {
    keyRing.waitUntilEmpty(b, place);
    Mbarrier full = keyRing.fills(b, place, tiles.keyBytes());
    keyPanels(place.stage).load(b, inputs.keys, key, full);
    return keyRing.next(b, place);
  }
  ProducerPlace loadValues(ProducerPlace place, Value *key) {
    valueRing.waitUntilEmpty(b, place);
    Mbarrier full = valueRing.fills(b, place, tiles.valueBytes());
    valuePanels(place.stage).load(b, inputs.values, key, full);
    return valueRing.next(b, place);
  }

  /// By each warp, for its own reads.
  void release(const MbarrierRing &ring, ConsumerPlace place) {
    emit::when(b, elected(b), [&] { ring.release(b, place); });
  }

  /// They are there.
  PendingAccumulators multiplyKeys(ConsumerPlace place) {
    PendingAccumulators scores = PendingAccumulators::begin(b, Accumulators::zero(b, tiles.keys));
    Panels keys = keyPanels(place.stage);
    for (unsigned deep = 0; deep < tiles.depth; deep += mmaDepth(bf16))
      scores.add(b, {.columns = tiles.keys, .element = bf16, .keeps = deep > 0},
                 queryPanels().rowsFrom(b, ownRow, deep), keys.rowsFrom(b, b.getInt32(0), deep));
    commitProducts(b);
    return scores;
  }

  /// The small parts of weights come first, while sums are small too.
  PendingAccumulators multiplyValues(ConsumerPlace place, ArrayRef<Value *> sums,
                                     ArrayRef<LeftFragment> weights) {
    PendingAccumulators pending = PendingAccumulators::begin(b, Accumulators::of(sums));
    Panels values = valuePanels(place.stage);
    unsigned steps = tiles.keys / mmaDepth(bf16);
    for (unsigned part = tiles.weightParts; part-- > 0;)
      for (unsigned step = 0; step < steps; ++step)
        pending.add(b,
                    {.columns = tiles.values,
                     .element = bf16,
                     .leftInRegisters = true,
                     .rightTransposed = true},
                    weights[part * steps + step], values.columnsOver(b, step * mmaDepth(bf16)));
    commitProducts(b);
    return pending;
  }

  /// -inf where a key is none, or hidden.
  Values masked(ArrayRef<Value *> scores, Value *key0) {
    const KeyMask &mask = inputs.mask;
    Value *seen = b.CreateICmpULE(after(key0), inputs.counts.keys);
    if (mask.judge)
      seen = b.CreateAnd(seen, mask.judge({ownQuery, groupRows, key0, tiles.keys}).always);
    return emit::choose(
        b, seen, [&] { return Values(scores); },
        [&] {
          Values all;
          Value *lowest = ConstantFP::get(b.getFloatTy(), -INFINITY);
          for (auto [i, score] : enumerate(scores)) {
            Value *query = b.CreateAdd(ownQuery, Accumulators::rowOf(b, i / 2));
            Value *key =
                b.CreateAdd(b.CreateAdd(key0, Accumulators::columnOf(b, i / 2)), b.getInt32(i % 2));
            Value *kept = exists(key);
            if (mask.keeps)
              kept = b.CreateAnd(kept, mask.keeps(query, key));
            all.push_back(b.CreateSelect(kept, score, lowest));
          }
          return all;
        });
  }

  FragmentSoftmax::Weighed weigh(const Accumulators &scores, Value *key0, const RowStates &before) {
    return softmax.weigh(masked(scores.registers(), key0), before);
  }

  /// When no product is under way: ptxas lets none overlap whose registers are written meanwhile.
  Weights packedOf(const FragmentSoftmax::Weighed &weighed) {
    Weights weights = {weighed.states, packedRows(b, weighed.weights)};
    if (tiles.weightParts == 2)
      append_range(weights.fragments, packedRows(b, leftBy(b, weighed.weights, weights.fragments)));
    return weights;
  }

  void consume(const GroupAttentionResults &results) {
    unsigned registers = tiles.values / 2;
    Accumulators zero = Accumulators::zero(b, tiles.values);
    RowStates none = RowStates::none(b);
    waitForPhase(b, queriesFull, b.getInt32(0));
    Value *first = blockFrom(b.getInt32(0));
    Values all = emit::choose(
        b, exists(first), [&] { return throughKeys(first, zero, none); },
        [&] {
          Values nothing(zero.registers());
          append_range(nothing, none.carried());
          return nothing;
        });
    ArrayRef<Value *> done = all;
    finish(done.take_front(registers), RowStates::of(done.drop_front(registers)), results);
  }

  /// Gives the sums, and the states of rows.
  Values throughKeys(Value *first, const Accumulators &zero, const RowStates &none) {
    unsigned registers = tiles.values / 2;
    ConsumerPlace begin = keyRing.consumer(b);
    keyRing.waitUntilFull(b, begin);
    Accumulators scores = multiplyKeys(begin).wait(b);
    release(keyRing, begin);
    ConsumerPlace keys = keyRing.next(b, begin);
    Values initial = {keys.stage, keys.parity, begin.stage, begin.parity, blockFrom(after(first))};
    append_range(initial, zero.registers());
    append_range(initial, packedOf(weigh(scores, first, none)).carried());
    Values all = emit::repeatWhile(
        b, initial, [&](ArrayRef<Value *> at) { return exists(at[4]); },
        [&](ArrayRef<Value *> at) {
          ConsumerPlace keys = {at[0], at[1]}, values = {at[2], at[3]};
          Weights weights = Weights::of(at.drop_front(5 + registers));
          keyRing.waitUntilFull(b, keys);
          PendingAccumulators scores = multiplyKeys(keys);
          valueRing.waitUntilFull(b, values);
          PendingAccumulators sums =
              multiplyValues(values, at.slice(5, registers), weights.fragments);
          Accumulators scored = std::move(scores).wait(b, 1);
          release(keyRing, keys);
          FragmentSoftmax::Weighed next = weigh(scored, at[4], weights.states);
          // Behind weights, and before the wait: ptxas moves a wait to where its basic block
          // begins, which this one ends, so that weights are worked out while products are under
          // way.
          Value *following = blockFrom(after(at[4]));
          Accumulators summed = std::move(sums).wait(b);
          release(valueRing, values);
          keys = keyRing.next(b, keys);
          values = valueRing.next(b, values);
          Values result = {keys.stage, keys.parity, values.stage, values.parity, following};
          for (auto [i, sum] : enumerate(summed.registers()))
            result.push_back(b.CreateFMul(sum, next.factor[rowOfRegister(i)]));
          append_range(result, packedOf(next).carried());
          return result;
        });
    ArrayRef<Value *> at = all;
    Weights weights = Weights::of(at.drop_front(5 + registers));
    valueRing.waitUntilFull(b, {at[2], at[3]});
    Accumulators sums =
        multiplyValues({at[2], at[3]}, at.slice(5, registers), weights.fragments).wait(b);
    Values result(sums.registers());
    append_range(result, weights.states.carried());
    return result;
  }

  void finish(ArrayRef<Value *> sums, const RowStates &states,
              const GroupAttentionResults &results) {
    FragmentSoftmax::Ends ends = softmax.finish(states);
    Accumulators all = Accumulators::of(sums);
    for (unsigned half = 0; half < 2; ++half) {
      Value *query = b.CreateAdd(ownQuery, Accumulators::rowOf(b, half));
      for (unsigned pair = half; pair < all.pairs(); pair += 2) {
        auto [one, other] = all.pairOf(pair);
        results.output(query, Accumulators::columnOf(b, pair),
                       b.CreateFMul(one, ends.inverse[half]),
                       b.CreateFMul(other, ends.inverse[half]));
      }
      Value *isFirst = b.CreateICmpEQ(b.CreateAnd(threadOf(b), 3), b.getInt32(0));
      emit::when(b, isFirst, [&] { results.logsumexp(query, ends.logsumexp[half]); });
    }
  }

  Builder &b;
  const GroupAttentionTiles &tiles;
  const GroupAttentionInputs &inputs;
  Value *shared, *barriers; ///< queries, stages of keys, stages of values, barriers
  MbarrierRing keyRing, valueRing;
  Mbarrier queriesFull;
  FragmentSoftmax softmax;
  Value *ownRow = nullptr, *ownQuery = nullptr; ///< the consumer's first: in the tile, of all
};

} // namespace

void emitGroupAttention(Builder &builder, const GroupAttentionTiles &tiles,
                        const GroupAttentionInputs &inputs, Value *shared,
                        const GroupAttentionResults &results) {
  Forward(builder, tiles, inputs, shared).emit(results);
}

} // namespace weft::gpu
