// Scores of a few queries, from keys where they lie.
#include "codegen/cpu/attention/DotScores.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/Transpose.h"

using namespace llvm;

namespace weft::cpu {

void emitDotScores(IRBuilderBase &b, Emission &emission, const DotScores &dots) {
  Type *number = b.getFloatTy();
  FixedVectorType *vector = emission.vector();
  const unsigned lanes = vector->getNumElements();
  auto at = [&](Value *base, Value *index) { return b.CreateInBoundsGEP(number, base, index); };
  Value *side = b.getInt64(lanes), *zero = Constant::getNullValue(vector);
  Value *rest = b.CreateURem(dots.depth, side), *squares = b.CreateNSWSub(dots.depth, rest);

  // As many keys as lanes, so that their sums are one vector.
  auto emitGroup = [&](Value *key, bool complete) {
    Value *last = b.CreateNSWSub(dots.exist, b.getInt64(1));
    Values keys;
    for (unsigned j = 0; j < lanes; ++j) {
      Value *place = b.CreateNSWAdd(key, b.getInt64(j));
      place = complete ? place : minimum(b, place, last);
      keys.push_back(dots.key.at(b, dots.keys, b.CreateNSWMul(place, dots.keyStride)));
    }
    loop(b, dots.rows, [&](Value *row) {
      Value *query = at(dots.queries, b.CreateNSWMul(row, dots.queryStride));
      auto fma = [&](Value *x, Value *y, Value *sum) {
        return b.CreateIntrinsic(vector, Intrinsic::fma, {x, y, sum});
      };
      auto step = [&](Value *column, ArrayRef<Value *> sums, Value *mask) {
        Value *x = Stored(number).loadOf(b, query, column, lanes, mask);
        Values next;
        for (auto [from, sum] : zip_equal(keys, sums))
          next.push_back(fma(x, dots.key.loadOf(b, from, column, lanes, mask), sum));
        return next;
      };
      // The products of a group are added up before its scale multiplies them, key by key: sums of
      // all keys, and of one group, fit the registers.
      auto group = [&](Value *column, ArrayRef<Value *> sums) {
        Values next, line;
        for (int64_t part = 0; part < model::grouped::length; part += lanes)
          line.push_back(
              Stored(number).loadOf(b, query, b.CreateNSWAdd(column, b.getInt64(part)), lanes));
        for (auto [from, sum] : zip_equal(keys, sums)) {
          Value *ofGroup = zero;
          for (auto [part, x] : enumerate(line)) {
            Value *at = b.CreateNSWAdd(column, b.getInt64(int64_t(part) * lanes));
            ofGroup = fma(x, dots.key.numbersOf(b, from, at, lanes), ofGroup);
          }
          Value *scale = b.CreateVectorSplat(lanes, dots.key.scaleOf(b, from, column));
          next.push_back(fma(scale, ofGroup, sum));
        }
        return next;
      };
      Values sums(lanes, zero);
      if (dots.key.grouped) {
        Value *length = b.getInt64(model::grouped::length);
        sums = carryingLoop(b, b.getInt64(0), dots.depth, length, sums, group);
      } else {
        sums = carryingLoop(b, b.getInt64(0), squares, side, sums,
                            [&](Value *column, ArrayRef<Value *> carried) {
                              return step(column, carried, nullptr);
                            });
        sums = choose(
            b, b.CreateICmpNE(rest, b.getInt64(0)),
            [&] { return step(squares, sums, firstLanes(b, rest, lanes)); }, [&] { return sums; });
      }
      Value *line = at(dots.scores, b.CreateNSWMul(row, dots.scoreStride));
      b.CreateAlignedStore(sumsOfRows(b, sums), at(line, key), Align(4));
    });
    return Values();
  };
  loop(b, dots.first, dots.end, side, [&](Value *key) {
    Value *complete = b.CreateICmpSLE(b.CreateNSWAdd(key, side), dots.exist);
    choose(
        b, complete, [&] { return emitGroup(key, true); }, [&] { return emitGroup(key, false); });
  });
}

} // namespace weft::cpu
