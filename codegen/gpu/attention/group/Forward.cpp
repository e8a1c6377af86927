// Producer and consumers of attention: while a block's weights are worked out, its values and the
// next block's keys are multiplied.
#include "codegen/gpu/attention/group/Forward.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/group/RingPosition.h"
#include "codegen/gpu/attention/group/Softmax.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

namespace {

constexpr Element bf16 = Element::bfloat16;
/// Barriers of turns, by number.
constexpr unsigned firstTurn = 1;
/// A thread's registers while it copies, and while it multiplies: together what the block began
/// with.
constexpr unsigned producerRegisters = 40, consumerRegisters = 232;

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
  Forward(Builder &builder, const GroupAttentionTiles &tiles, const GroupAttentionWork &work,
          Value *shared)
      : b(builder), tiles(tiles), work(work), shared(shared),
        barriers(offset(b, shared, tiles.sharedBytes() - tiles.barrierBytes())),
        keyRing(barriers, tiles.stages),
        valueRing(offset(b, barriers, MbarrierRing::bytes(tiles.stages)), tiles.stages),
        queryRing(offset(b, barriers, 2 * MbarrierRing::bytes(tiles.stages)), tiles.queryStages),
        softmax(b, work.scale) {}

  void emit() {
    Value *warp = warpOf(b);
    emit::when(b, b.CreateICmpEQ(threadOf(b), b.getInt32(0)), [&] {
      for (const MbarrierRing &ring : {keyRing, valueRing, queryRing})
        ring.make(b, tiles.consumers * warpsOfGroup);
      publishMbarriers(b);
    });
    barrier(b);
    Value *group = b.CreateLShr(warp, Log2_32(warpsOfGroup));
    emit::choose(
        b, b.CreateICmpEQ(group, b.getInt32(0)),
        [&]() -> Values {
          shrinkRegisters(b, producerRegisters);
          emit::when(b, b.CreateICmpEQ(warp, b.getInt32(0)),
                     [&] { emit::when(b, elected(b), [&] { produceAll(); }); });
          return {};
        },
        [&]() -> Values {
          growRegisters(b, consumerRegisters);
          consumer = b.CreateSub(group, b.getInt32(1));
          ownRow = b.CreateMul(consumer, b.getInt32(groupRows));
          consumeAll();
          return {};
        });
  }

private:
  /// All tiles of the block, one after the other. Of a tile as many blocks of keys as of values are
  /// copied, so that both rings are in one place between tiles.
  void ofEach(function_ref<void()> body) {
    emit::repeatWhile(
        b, {b.getInt32(0)}, [&](ArrayRef<Value *> at) { return work.exists(at[0]); },
        [&](ArrayRef<Value *> at) -> Values {
          work.tile(at[0], [&](const GroupAttentionInputs &of, const GroupAttentionResults &to) {
            inputs = &of;
            results = &to;
            body();
          });
          return {b.CreateAdd(at[0], b.getInt32(1))};
        });
  }

  Panels queryPanels(Value *stage) const {
    return {offset(b, shared, b.CreateMul(stage, b.getInt32(tiles.queryBytes()))), tiles.queries(),
            tiles.depth};
  }
  Panels keyPanels(Value *stage) const {
    Value *base = offset(b, shared, tiles.queryStages * tiles.queryBytes());
    return {offset(b, base, b.CreateMul(stage, b.getInt32(tiles.keyBytes()))), tiles.keys,
            tiles.depth};
  }
  Panels valuePanels(Value *stage) const {
    Value *base =
        offset(b, shared, tiles.queryStages * tiles.queryBytes() + tiles.stages * tiles.keyBytes());
    return {offset(b, base, b.CreateMul(stage, b.getInt32(tiles.valueBytes()))), tiles.keys,
            tiles.values};
  }

  Value *exists(Value *key) const { return b.CreateICmpULT(key, inputs->counts.keys); }
  Value *after(Value *key) const { return b.CreateAdd(key, b.getInt32(tiles.keys)); }
  /// The first block from `key` on that some query of the tile looks at. Whoever copies and whoever
  /// multiplies ask for the same ones.
  Value *blockFrom(Value *key) const {
    if (!inputs->mask.judge)
      return key;
    // With a branch, since nothing is to be judged beyond the last key.
    return emit::repeatWhile(
        b, {key},
        [&](ArrayRef<Value *> at) {
          return emit::choose(
              b, exists(at[0]),
              [&]() -> Values {
                return {
                    inputs->mask.judge({inputs->query0, tiles.queries(), at[0], tiles.keys}).never};
              },
              [&]() -> Values { return {b.getFalse()}; })[0];
        },
        [&](ArrayRef<Value *> at) -> Values { return {after(at[0])}; })[0];
  }

  /// One thread asks for all that is copied: of a tile its queries, then keys of a block before the
  /// values of the one before it, which is the order they are multiplied in. It goes ahead of those
  /// who multiply as far as there are stages, into the next tile too.
  void produceAll() {
    RingPosition<ProducerPlace> ofQueries(b, queryRing.producer(b)), ofKeys(b, keyRing.producer(b));
    ofEach([&] {
      ProducerPlace place = ofQueries.get();
      queryRing.waitUntilEmpty(b, place);
      Mbarrier full = queryRing.fills(b, place, tiles.queryBytes());
      queryPanels(place.stage).load(b, inputs->queries, inputs->query0, full);
      ofQueries.is(queryRing.next(b, place));
      produce(ofKeys);
    });
  }

  void produce(RingPosition<ProducerPlace> &position) {
    ProducerPlace begin = position.get();
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
      position.is(loadValues({all[2], all[3]}, all[4]));
    });
  }

  ProducerPlace loadKeys(ProducerPlace place, Value *key) {
    keyRing.waitUntilEmpty(b, place);
    Mbarrier full = keyRing.fills(b, place, tiles.keyBytes());
    keyPanels(place.stage).load(b, inputs->keys, key, full);
    return keyRing.next(b, place);
  }
  ProducerPlace loadValues(ProducerPlace place, Value *key) {
    valueRing.waitUntilEmpty(b, place);
    Mbarrier full = valueRing.fills(b, place, tiles.valueBytes());
    valuePanels(place.stage).load(b, inputs->values, key, full);
    return valueRing.next(b, place);
  }

  /// By each warp, for its own reads.
  void release(const MbarrierRing &ring, ConsumerPlace place) {
    emit::when(b, elected(b), [&] { ring.release(b, place); });
  }

  /// Groups of warps take turns, so that the products of one are under way while the other works
  /// out weights. Each has a barrier that the other arrives at when its turn comes.
  void beginTurns() {
    emit::when(b, b.CreateICmpNE(consumer, b.getInt32(0)), [&] { passTurn(); });
  }
  void waitForTurn() {
    if (tiles.takesTurns())
      barrier(b, turnOf(consumer), tiles.consumers * threadsOfGroup);
  }
  void passTurn() {
    Value *other = turnOf(b.CreateXor(consumer, 1));
    if (tiles.takesTurns())
      arriveAtBarrier(b, other, tiles.consumers * threadsOfGroup);
  }
  Value *turnOf(Value *which) { return b.CreateAdd(which, b.getInt32(firstTurn)); }

  /// They are there.
  PendingAccumulators multiplyKeys(const Panels &queries, ConsumerPlace place) {
    PendingAccumulators scores = PendingAccumulators::begin(b, Accumulators::zero(b, tiles.keys));
    Panels keys = keyPanels(place.stage);
    for (unsigned deep = 0; deep < tiles.depth; deep += mmaDepth(bf16))
      scores.add(b, {.columns = tiles.keys, .element = bf16, .keeps = deep > 0},
                 queries.rowsFrom(b, ownRow, deep), keys.rowsFrom(b, b.getInt32(0), deep));
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
    const KeyMask &mask = inputs->mask;
    Value *seen = b.CreateICmpULE(after(key0), inputs->counts.keys);
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

  void consumeAll() {
    RingPosition<ConsumerPlace> ofQueries(b, queryRing.consumer(b)), ofKeys(b, keyRing.consumer(b));
    beginTurns();
    ofEach([&] {
      ownQuery = b.CreateAdd(inputs->query0, ownRow);
      ConsumerPlace place = ofQueries.get();
      queryRing.waitUntilFull(b, place);
      consume(place, ofKeys);
      ofQueries.is(queryRing.next(b, place));
    });
  }

  void consume(ConsumerPlace queries, RingPosition<ConsumerPlace> &position) {
    unsigned registers = tiles.values / 2;
    Accumulators zero = Accumulators::zero(b, tiles.values);
    RowStates none = RowStates::none(b);
    Value *first = blockFrom(b.getInt32(0));
    Values all = emit::choose(
        b, exists(first), [&] { return throughKeys(queries, position, first, zero, none); },
        [&] {
          release(queryRing, queries);
          Values nothing(zero.registers());
          append_range(nothing, none.carried());
          return nothing;
        });
    ArrayRef<Value *> done = all;
    finish(done.take_front(registers), RowStates::of(done.drop_front(registers)));
  }

  /// Gives the sums, and the states of rows.
  Values throughKeys(ConsumerPlace queryPlace, RingPosition<ConsumerPlace> &position, Value *first,
                     const Accumulators &zero, const RowStates &none) {
    unsigned registers = tiles.values / 2;
    Panels queries = queryPanels(queryPlace.stage);
    ConsumerPlace begin = position.get();
    keyRing.waitUntilFull(b, begin);
    Accumulators scores = multiplyKeys(queries, begin).wait(b);
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
          waitForTurn();
          PendingAccumulators scores = multiplyKeys(queries, keys);
          valueRing.waitUntilFull(b, values);
          PendingAccumulators sums =
              multiplyValues(values, at.slice(5, registers), weights.fragments);
          passTurn();
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
    release(queryRing, queryPlace);
    ArrayRef<Value *> at = all;
    Weights weights = Weights::of(at.drop_front(5 + registers));
    ConsumerPlace last = {at[2], at[3]};
    valueRing.waitUntilFull(b, last);
    Accumulators sums = multiplyValues(last, at.slice(5, registers), weights.fragments).wait(b);
    release(valueRing, last);
    position.is(valueRing.next(b, last));
    Values result(sums.registers());
    append_range(result, weights.states.carried());
    return result;
  }

  void finish(ArrayRef<Value *> sums, const RowStates &states) {
    FragmentSoftmax::Ends ends = softmax.finish(states);
    Accumulators all = Accumulators::of(sums);
    for (unsigned half = 0; half < 2; ++half) {
      Value *query = b.CreateAdd(ownQuery, Accumulators::rowOf(b, half));
      for (unsigned pair = half; pair < all.pairs(); pair += 2) {
        auto [one, other] = all.pairOf(pair);
        results->output(query, Accumulators::columnOf(b, pair),
                        b.CreateFMul(one, ends.inverse[half]),
                        b.CreateFMul(other, ends.inverse[half]));
      }
      Value *isFirst = b.CreateICmpEQ(b.CreateAnd(threadOf(b), 3), b.getInt32(0));
      emit::when(b, isFirst, [&] { results->logsumexp(query, ends.logsumexp[half]); });
    }
  }

  Builder &b;
  const GroupAttentionTiles &tiles;
  const GroupAttentionWork &work;
  Value *shared, *barriers; ///< stages of queries, of keys, of values, barriers
  MbarrierRing keyRing, valueRing, queryRing;
  FragmentSoftmax softmax;
  Value *consumer = nullptr, *ownRow = nullptr; ///< which group, and its first row in tiles
  // Of the tile that is being emitted.
  const GroupAttentionInputs *inputs = nullptr;
  const GroupAttentionResults *results = nullptr;
  Value *ownQuery = nullptr; ///< the consumer's first
};

} // namespace

void emitGroupAttention(Builder &builder, const GroupAttentionTiles &tiles,
                        const GroupAttentionWork &work, Value *shared) {
  Forward(builder, tiles, work, shared).emit();
}

} // namespace weft::gpu
