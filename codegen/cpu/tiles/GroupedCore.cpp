// Cores whose right side is stored in groups: numbers are widened in registers, to floats, or,
// beside a left side of bfloat16, to pairs of these, and their products take the scale.
#include "codegen/cpu/tiles/CoreFrame.h"
#include "codegen/cpu/tiles/GroupedPanel.h"
#include "codegen/cpu/tiles/Halves.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// The products of half a group are added up for themselves, then take the scale. That is the order
/// of sums of every tile: of few rows both halves are added up at once, to hide the latency of
/// additions, and of many, whose sums fill the registers, one after the other. What was before
/// stays in the tile's memory, which half a group reads and writes once.
class GroupedCore : CoreFrame {
public:
  GroupedCore(Emission &emission, Core core, Tile tile, Function *function)
      : CoreFrame(emission, core, tile, function), panel(builder, emission.lanes, *core.grouped),
        atOnce(halvesOfGroup * sums() <= core.set.accumulators ? halvesOfGroup : 1) {}

  void build() {
    Value *length = builder.getInt64(model::groups::length);
    Value *groups = builder.CreateUDiv(k, length), *rest = builder.CreateURem(k, length);
    clearTile();
    loop(builder, groups, [&](Value *number) {
      fetchAhead(number, groups);
      enterGroup(number);
      for (int64_t half = 0; half < halvesOfGroup; half += atOnce)
        leave(productsOf(half, builder.getInt64(eights), atOnce));
    });
    when(builder, builder.CreateICmpNE(rest, builder.getInt64(0)), [&] {
      later.clear();
      enterGroup(groups);
      for (int64_t half = 0; half < halvesOfGroup; ++half)
        leave(productsOfFirst(half, rest));
    });
    builder.CreateRetVoid();
  }

private:
  static constexpr int64_t inHalf = model::groups::length / halvesOfGroup,
                           eights = inHalf / GroupedPanel::together;

  /// Asks for the groups that come some way behind group `number` of each panel, or, where there
  /// are no more, of the panels that come next: of few rows weights are read once, in this order,
  /// and a panel of some kilobytes ends before the processor has seen that it is read line by line.
  void fetchAhead(Value *number, Value *groups) {
    const int64_t perPanel = panelWidth / emission.lanes, panels = vectors / perPanel;
    Value *ahead = builder.CreateNSWAdd(number, builder.getInt64(groupsAhead));
    Value *behind = builder.CreateNSWSub(ahead, groups);
    Value *isNext = builder.CreateICmpSGE(behind, builder.getInt64(0));
    Value *start = builder.CreateSelect(
        isNext, builder.CreateNSWMul(rightStride, builder.getInt64(panels)), builder.getInt64(0));
    Value *of = builder.CreateSelect(isNext, behind, ahead);
    later.clear();
    for (int64_t i = 0; i < panels; ++i) {
      Value *offset =
          builder.CreateNSWAdd(start, builder.CreateNSWMul(rightStride, builder.getInt64(i)));
      later.push_back(panel.groupLater(builder.CreateGEP(builder.getInt8Ty(), right, offset), of));
      panel.fetch(later.back(), panel.bytes() - 1);
    }
  }

  /// Group `number` of each panel.
  void enterGroup(Value *number) {
    const int64_t perPanel = panelWidth / emission.lanes;
    first = builder.CreateNSWMul(number, builder.getInt64(model::groups::length));
    starts.clear();
    scales.clear();
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value *start = builder.CreateInBoundsGEP(
          builder.getInt8Ty(), right,
          builder.CreateNSWMul(rightStride, builder.getInt64(vector / perPanel)));
      starts.push_back(panel.group(start, number));
      scales.push_back(panel.scales(starts.back(), columnOf(vector)));
    }
  }

  /// The sums of the first `count` times eight rows of half `half` and of those that are added up
  /// with it, one half behind the other.
  Values productsOf(int64_t half, Value *count, int64_t together) {
    Values zeros(together * sums(), Constant::getNullValue(emission.vector()));
    return carryingLoop(
        builder, builder.getInt64(0), count, builder.getInt64(1), zeros,
        [&](Value *number, ArrayRef<Value *> carried) {
          Values next(carried);
          for (int64_t i = 0; i < together; ++i)
            addEight(MutableArrayRef(next).slice(i * sums(), sums()),
                     builder.CreateNSWAdd(number, builder.getInt64((half + i) * eights)));
          return next;
        });
  }

  /// Rows `8 * eight` to `8 * eight + 7` of the group.
  void addEight(MutableArrayRef<Value *> to, Value *eight) {
    for (Value *group : later)
      panel.fetchEight(group, eight);
    SmallVector<std::array<Value *, GroupedPanel::together>> numbers;
    for (int64_t vector = 0; vector < vectors; ++vector)
      numbers.push_back(panel.eightRows(starts[vector], eight, columnOf(vector)));
    Value *index = builder.CreateNSWAdd(
        first, builder.CreateNSWMul(eight, builder.getInt64(GroupedPanel::together)));
    auto rowsAt = [&](int64_t row) {
      Values weights;
      for (int64_t vector = 0; vector < vectors; ++vector)
        weights.push_back(numbers[vector][row]);
      return weights;
    };
    for (int64_t row = 0; row < GroupedPanel::together; row += step()) {
      Value *here = builder.CreateNSWAdd(index, builder.getInt64(row));
      if (multipliesPairs())
        addPair(to, here, rowsAt(row), rowsAt(row + 1));
      else
        addProducts(to, here, rowsAt(row));
    }
  }

  bool multipliesPairs() const { return core.dots != PairProducts::none; }
  int64_t step() const { return multipliesPairs() ? kernel::rowsOfPair : 1; }

  /// left[…][index] * lower[…] + left[…][index + 1] * upper[…]; without upper ones `index` is the
  /// last of the left side.
  void addPair(MutableArrayRef<Value *> to, Value *index, ArrayRef<Value *> lower,
               ArrayRef<Value *> upper) {
    Values words;
    for (auto [vector, number] : enumerate(lower))
      words.push_back(pairOfWholeNumbers(builder, number, upper.empty() ? nullptr : upper[vector]));
    addDots(to, words, [&](int64_t row) {
      return upper.empty() ? leftLastAt(row, index) : leftPairAt(row, index);
    });
  }

  /// Of a half of which, with what is before it in the group, `rest` rows are there.
  Values productsOfFirst(int64_t half, Value *rest) {
    Value *low = builder.getInt64(half * inHalf), *none = builder.getInt64(0);
    Value *rows = minimum(builder, maximum(builder, builder.CreateNSWSub(rest, low), none),
                          builder.getInt64(inHalf));
    Value *whole = builder.CreateUDiv(rows, builder.getInt64(GroupedPanel::together));
    Values sum = productsOf(half, whole, /*together=*/1);
    Value *done = builder.CreateNSWMul(whole, builder.getInt64(GroupedPanel::together));
    Value *begin = builder.CreateNSWAdd(low, done), *end = builder.CreateNSWAdd(low, rows);
    Value *odd = multipliesPairs() ? builder.CreateAnd(rows, 1) : none;
    Value *last = builder.CreateNSWSub(end, odd);
    sum = carryingLoop(builder, begin, last, builder.getInt64(step()), sum,
                       [&](Value *row, ArrayRef<Value *> carried) {
                         Values next(carried);
                         Value *index = builder.CreateNSWAdd(first, row);
                         if (multipliesPairs())
                           addPair(next, index, rowsOf(row),
                                   rowsOf(builder.CreateNSWAdd(row, builder.getInt64(1))));
                         else
                           addProducts(next, index, rowsOf(row));
                         return next;
                       });
    if (!multipliesPairs())
      return sum;
    return choose(
        builder, builder.CreateIsNotNull(odd),
        [&] {
          Values next(sum);
          addPair(next, builder.CreateNSWAdd(first, last), rowsOf(last), {});
          return next;
        },
        [&] { return sum; });
  }

  /// Row `row` of the group, of each vector of columns.
  Values rowsOf(Value *row) {
    Values weights;
    for (int64_t vector = 0; vector < vectors; ++vector)
      weights.push_back(panel.row(starts[vector], row, columnOf(vector)));
    return weights;
  }

  /// Adds sums of halves, times the group's scales, to the tile.
  void leave(ArrayRef<Value *> all) {
    for (int64_t i = 0; i < sums(); ++i) {
      Value *sum = load(emission.vector(), place(i));
      for (size_t half = 0; half < all.size(); half += sums())
        sum = builder.CreateIntrinsic(emission.vector(), Intrinsic::fma,
                                      {all[half + i], scales[i % vectors], sum});
      builder.CreateAlignedStore(sum, place(i), Align(4));
    }
  }

  int64_t columnOf(int64_t vector) const {
    return vector % (panelWidth / emission.lanes) * emission.lanes;
  }

  GroupedPanel panel;
  const int64_t atOnce;   // halves
  Value *first = nullptr; // of the group's rows
  Values starts, scales;  // of the group, for each vector of columns
  Values later;           // groups that come some way behind, one of each panel
};

} // namespace

void buildGroupedCore(Emission &emission, Core core, Tile tile, Function *function) {
  GroupedCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
