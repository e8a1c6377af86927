// Cores whose right side is stored in groups: numbers are widened in registers, and times the scale
// exact in f32.
#include "codegen/cpu/tiles/CoreFrame.h"
#include "codegen/cpu/tiles/GroupedPanel.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::cpu {

namespace {

class GroupedCore : CoreFrame {
public:
  GroupedCore(Emission &emission, Core core, Tile tile, Function *function)
      : CoreFrame(emission, core, tile, function), panel(builder, emission.lanes, *core.grouped) {
    // Where registers allow it, the products of a group are added up for themselves and take the
    // scale once; else each vector of numbers takes it, which several rows share. Chains of sums
    // hide the latency of additions.
    const int64_t accumulators = core.set.accumulators;
    scalesSums = 2 * sums() <= accumulators;
    while (scalesSums && 2 * chains <= GroupedPanel::together &&
           (2 * chains + 1) * sums() <= accumulators)
      chains *= 2;
  }

  void build() {
    constexpr int64_t length = model::groups::length;
    Value *groups = builder.CreateLShr(k, Log2_64(length));
    Value *rest = builder.CreateAnd(k, builder.getInt64(length - 1));
    Values zeros(sums(), Constant::getNullValue(emission.vector()));
    Values sum =
        carryingLoop(builder, builder.getInt64(0), groups, builder.getInt64(1), zeros,
                     [&](Value *number, ArrayRef<Value *> carried) {
                       fetchAhead(number, groups);
                       return addGroup(number, carried,
                                       builder.getInt64(length / GroupedPanel::together), nullptr);
                     });
    finish(choose(
        builder, builder.CreateICmpNE(rest, builder.getInt64(0)),
        [&] {
          return addGroup(groups, sum,
                          builder.CreateUDiv(rest, builder.getInt64(GroupedPanel::together)), rest);
        },
        [&] { return sum; }));
  }

private:
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
    for (int64_t i = 0; i < panels; ++i) {
      Value *offset =
          builder.CreateNSWAdd(start, builder.CreateNSWMul(rightStride, builder.getInt64(i)));
      panel.fetch(builder.CreateGEP(builder.getInt8Ty(), right, offset), of);
    }
  }

  /// `before` plus the products of a group: of `eights` times eight rows, then one by one up to
  /// `rest`, if not all rows are there.
  Values addGroup(Value *number, ArrayRef<Value *> before, Value *eights, Value *rest) {
    Value *first = builder.CreateNSWMul(number, builder.getInt64(model::groups::length));
    Values starts, scales;
    int64_t perPanel = panelWidth / emission.lanes;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value *start = builder.CreateInBoundsGEP(
          builder.getInt8Ty(), right,
          builder.CreateNSWMul(rightStride, builder.getInt64(vector / perPanel)));
      starts.push_back(panel.group(start, number));
      scales.push_back(panel.scales(starts.back(), columnOf(vector)));
    }
    Values initial(before);
    if (scalesSums)
      initial.assign(chains * sums(), Constant::getNullValue(emission.vector()));
    Values parts = carryingLoop(
        builder, builder.getInt64(0), eights, builder.getInt64(1), initial,
        [&](Value *eight, ArrayRef<Value *> carried) {
          Values next(carried);
          SmallVector<std::array<Value *, GroupedPanel::together>> numbers;
          for (int64_t vector = 0; vector < vectors; ++vector)
            numbers.push_back(panel.eightRows(starts[vector], eight, columnOf(vector)));
          Value *index = builder.CreateNSWAdd(
              first, builder.CreateNSWMul(eight, builder.getInt64(GroupedPanel::together)));
          for (int64_t row = 0; row < GroupedPanel::together; ++row) {
            Values weights;
            for (int64_t vector = 0; vector < vectors; ++vector)
              weights.push_back(weight(numbers[vector][row], scales[vector]));
            addProducts(MutableArrayRef(next).slice(row % chains * sums(), sums()),
                        builder.CreateNSWAdd(index, builder.getInt64(row)), weights);
          }
          return next;
        });
    addChains(parts);
    if (rest)
      parts = carryingLoop(
          builder, builder.CreateNSWMul(eights, builder.getInt64(GroupedPanel::together)), rest,
          builder.getInt64(1), parts, [&](Value *row, ArrayRef<Value *> carried) {
            Values next(carried), weights;
            for (int64_t vector = 0; vector < vectors; ++vector)
              weights.push_back(
                  weight(panel.row(starts[vector], row, columnOf(vector)), scales[vector]));
            addProducts(next, builder.CreateNSWAdd(first, row), weights);
            return next;
          });
    if (scalesSums)
      for (int64_t i = 0; i < sums(); ++i)
        parts[i] = builder.CreateIntrinsic(emission.vector(), Intrinsic::fma,
                                           {parts[i], scales[i % vectors], before[i]});
    return parts;
  }

  int64_t columnOf(int64_t vector) const {
    return vector % (panelWidth / emission.lanes) * emission.lanes;
  }
  Value *weight(Value *numbers, Value *scale) {
    return scalesSums ? numbers : builder.CreateFMul(numbers, scale);
  }

  GroupedPanel panel;
  bool scalesSums;
  int64_t chains = 1;
};

} // namespace

void buildGroupedCore(Emission &emission, Core core, Tile tile, Function *function) {
  GroupedCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
