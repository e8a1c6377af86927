// Cores whose right side is whole numbers that share scales, as pairs of bfloat16 (ScaledPairs.h),
// and whose left side is bfloat16: products of a group are added up two at a time, and take their
// scale once.
#include "codegen/cpu/tiles/CoreFrame.h"
#include "codegen/cpu/tiles/ScaledPairs.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// Registers hold the sums of one group, of a tile as large as any: what the groups before it add
/// up to stays in the tile's memory, which a group of 16 steps reads and writes once.
class ScaledCore : CoreFrame {
public:
  using CoreFrame::CoreFrame;

  void build() {
    Value *length = builder.getInt64(model::groups::length);
    Value *groups = builder.CreateUDiv(k, length), *rest = builder.CreateURem(k, length);
    clearTile();
    loop(builder, groups, [&](Value *number) {
      enterGroup(number);
      leaveGroup(productsOf(builder.getInt64(ScaledPairs::pairs)));
    });
    when(builder, builder.CreateICmpNE(rest, builder.getInt64(0)), [&] {
      enterGroup(groups);
      Value *pairs = builder.CreateUDiv(rest, builder.getInt64(kernel::rowsOfPair));
      Values sum = productsOf(pairs);
      leaveGroup(choose(
          builder, builder.CreateTrunc(rest, builder.getInt1Ty()),
          [&] { return plusLast(sum, pairs); }, [&] { return sum; }));
    });
    builder.CreateRetVoid();
  }

private:
  Value *zeros() const { return Constant::getNullValue(emission.vector()); }

  /// Group `number` of each panel.
  void enterGroup(Value *number) {
    first = builder.CreateNSWMul(number, builder.getInt64(model::groups::length));
    Value *within = builder.CreateNSWMul(number, builder.getInt64(ScaledPairs::groupBytes));
    starts.clear();
    for (int64_t panel = 0; panel < tile.panels; ++panel) {
      Value *offset = builder.CreateNSWMul(rightStride, builder.getInt64(panel));
      starts.push_back(builder.CreateInBoundsGEP(builder.getInt8Ty(), right,
                                                 builder.CreateNSWAdd(offset, within)));
    }
  }

  /// The sums of the first `pairs` pairs of the group.
  Values productsOf(Value *pairs) {
    return carryingLoop(builder, builder.getInt64(0), pairs, builder.getInt64(1),
                        Values(sums(), zeros()), [&](Value *pair, ArrayRef<Value *> carried) {
                          Values next(carried);
                          addDots(next, wordsAt(pair),
                                  [&](int64_t row) { return leftPairAt(row, indexOf(pair)); });
                          return next;
                        });
  }

  /// Plus those of its last row, which is in pair `pair` alone.
  Values plusLast(ArrayRef<Value *> before, Value *pair) {
    Values all(before);
    addDots(all, wordsAt(pair), [&](int64_t row) { return leftLastAt(row, indexOf(pair)); });
    return all;
  }

  /// Adds sums of the group, times its scales, to the tile.
  void leaveGroup(ArrayRef<Value *> sum) {
    Values scales;
    for (Value *start : starts)
      scales.push_back(load(emission.vector(), start));
    for (auto [i, value] : enumerate(sum)) {
      Value *before = load(emission.vector(), place(int64_t(i)));
      Value *after = builder.CreateIntrinsic(emission.vector(), Intrinsic::fma,
                                             {value, scales[i % scales.size()], before});
      builder.CreateAlignedStore(after, place(int64_t(i)), Align(4));
    }
  }

  Value *indexOf(Value *pair) {
    return builder.CreateNSWAdd(first,
                                builder.CreateNSWMul(pair, builder.getInt64(kernel::rowsOfPair)));
  }

  Values wordsAt(Value *pair) {
    Value *line = builder.CreateNSWMul(builder.CreateNSWAdd(pair, builder.getInt64(1)),
                                       builder.getInt64(ScaledPairs::lineBytes));
    auto *type = FixedVectorType::get(builder.getInt32Ty(), emission.lanes);
    return map_to_vector(starts, [&](Value *start) {
      return load(type, builder.CreateInBoundsGEP(builder.getInt8Ty(), start, line));
    });
  }

  Value *first = nullptr; // of the group's rows
  Values starts;          // of the group, in each panel
};

} // namespace

void buildScaledCore(Emission &emission, Core core, Tile tile, Function *function) {
  assert(emission.lanes == panelWidth && "a vector is a panel's line");
  ScaledCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
