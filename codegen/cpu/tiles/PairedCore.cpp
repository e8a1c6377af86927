// Cores whose right side is stored as bfloat16, two rows in a word (PairedPanels.h).
#include "codegen/cpu/tiles/CoreFrame.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// Either both rows of a word are widened, each by one operation, and multiplied by floats; or a
/// word is multiplied by a word of the left side, and both products are added up by one
/// instruction.
class PairedCore : CoreFrame {
public:
  PairedCore(Emission &emission, Core core, Tile tile, Function *function)
      : CoreFrame(emission, core, tile, function),
        chains(chainsUpTo(std::max<int64_t>(1, core.set.unroll / kernel::rowsOfPair))) {}

  void build() {
    Value *two = builder.getInt64(kernel::rowsOfPair);
    Values initial(chains * sums(), Constant::getNullValue(emission.vector()));
    const int64_t step = chains * kernel::rowsOfPair;
    Value *whole = builder.CreateAnd(k, builder.getInt64(-step));
    Value *even = builder.CreateAnd(k, builder.getInt64(-kernel::rowsOfPair));
    Values all = carryingLoop(
        builder, builder.getInt64(0), whole, builder.getInt64(step), initial,
        [&](Value *index, ArrayRef<Value *> carried) {
          Values next(carried);
          for (int64_t pair = 0; pair < chains; ++pair)
            addPair(next, pair,
                    builder.CreateNSWAdd(index, builder.getInt64(pair * kernel::rowsOfPair)));
          return next;
        });
    addChains(all);
    chains = 1;
    all =
        carryingLoop(builder, whole, even, two, all, [&](Value *index, ArrayRef<Value *> carried) {
          Values next(carried);
          addPair(next, 0, index);
          return next;
        });
    finish(choose(
        builder, builder.CreateICmpSLT(even, k), [&] { return plusLast(all, even); },
        [&] { return all; }));
  }

private:
  MutableArrayRef<Value *> chain(Values &all, int64_t number) {
    return MutableArrayRef(all).slice(number % chains * sums(), sums());
  }

  void addPair(Values &all, int64_t number, Value *index) {
    Values words = wordsAt(index);
    if (core.dots == PairProducts::words) {
      addDots(chain(all, number), words, [&](int64_t row) { return leftPairAt(row, index); });
      return;
    }
    addProducts(chain(all, number), index, lowerHalves(words));
    addProducts(chain(all, number), builder.CreateNSWAdd(index, builder.getInt64(1)),
                upperHalves(words));
  }

  /// The last row, where it is in no pair: the upper halves of its words are zeros, and those of
  /// the left side are not read.
  Values plusLast(ArrayRef<Value *> before, Value *index) {
    Values all(before), words = wordsAt(index);
    if (core.dots == PairProducts::words)
      addDots(all, words, [&](int64_t row) { return leftLastAt(row, index); });
    else
      addProducts(all, index, lowerHalves(words));
    return all;
  }

  /// Of rows `index` and the next one; `index` is even.
  Values wordsAt(Value *index) {
    const int64_t perPanel = panelWidth / emission.lanes;
    auto *type = FixedVectorType::get(builder.getInt32Ty(), emission.lanes);
    Value *line = builder.CreateNSWMul(builder.CreateLShr(index, 1), builder.getInt64(panelWidth));
    Values words;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value *panel = builder.CreateInBoundsGEP(
          builder.getInt16Ty(), right,
          builder.CreateNSWMul(rightStride, builder.getInt64(vector / perPanel)));
      Value *start = builder.CreateInBoundsGEP(builder.getInt32Ty(), panel, line);
      words.push_back(
          load(type, at(builder.getInt32Ty(), start, vector % perPanel * int64_t(emission.lanes))));
    }
    return words;
  }

  Values lowerHalves(ArrayRef<Value *> words) {
    return map_to_vector(words, [&](Value *all) {
      return builder.CreateBitCast(builder.CreateShl(all, 16), emission.vector());
    });
  }
  Values upperHalves(ArrayRef<Value *> words) {
    return map_to_vector(words, [&](Value *all) {
      Value *bits = builder.CreateAnd(all, ConstantInt::get(all->getType(), 0xffff0000));
      return builder.CreateBitCast(bits, emission.vector());
    });
  }

  int64_t chains; // of sums, a pair for each in one pass
};

} // namespace

void buildPairedCore(Emission &emission, Core core, Tile tile, Function *function) {
  PairedCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
