// The sum of values that share scales, weighted for one query.
#include "codegen/cpu/attention/GroupedValues.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

void emitGroupedValues(IRBuilderBase &b, Emission &emission, const GroupedValues &all) {
  constexpr int64_t length = model::grouped::length;
  Type *number = b.getFloatTy();
  FixedVectorType *vector = emission.vector();
  const unsigned lanes = vector->getNumElements();
  auto at = [&](Value *base, Value *index) { return b.CreateInBoundsGEP(number, base, index); };

  auto emitColumns = [&](int64_t first, int64_t count) {
    auto place = [&](int64_t column) { return at(all.sums, b.getInt64(column)); };
    Values sums;
    for (int64_t column = first; column < first + count; column += lanes)
      sums.push_back(b.CreateAlignedLoad(vector, place(column), Align(4)));
    sums = carryingLoop(
        b, b.getInt64(0), all.keys, b.getInt64(1), sums, [&](Value *key, ArrayRef<Value *> before) {
          Value *row = all.value.at(b, all.values, b.CreateNSWMul(key, all.valueStride));
          Value *weight = b.CreateAlignedLoad(number, at(all.weights, key), Align(4));
          Values next(before);
          for (int64_t begin = first; begin < first + count; begin += length) {
            Value *scale = all.value.scaleOf(b, row, b.getInt64(begin));
            Value *factor = b.CreateVectorSplat(lanes, b.CreateFMul(weight, scale));
            for (int64_t column = begin; column < begin + length; column += lanes) {
              Value *&sum = next[(column - first) / lanes];
              Value *numbers = all.value.numbersOf(b, row, b.getInt64(column), lanes);
              sum = b.CreateIntrinsic(vector, Intrinsic::fma, {factor, numbers, sum});
            }
          }
          return next;
        });
    for (auto [i, sum] : enumerate(sums))
      b.CreateAlignedStore(sum, place(first + int64_t(i) * lanes), Align(4));
  };
  // Half of the registers of vectors hold sums.
  const int64_t most = std::max<int64_t>(8 * lanes / length * length, length);
  for (int64_t first = 0; first < all.columns; first += most)
    emitColumns(first, std::min(most, all.columns - first));
}

} // namespace weft::cpu
