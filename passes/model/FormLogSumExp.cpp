// shift + log(sum[d](exp(x - shift)))  ==>  logsumexp[d](x), where shift is max[d](x) if that is
// finite, and 0 if not; and maxima that are taken away and added again, max + log(sum(exp(x -
// max))), or subtracted on both sides of a difference, (y - max) - log(sum(exp(x - max))), are
// marked as having no gradient.
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/DeadOps.h"
#include "passes/model/Scalars.h"

#include "llvm/ADT/SetVector.h"

#include <limits>

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMLOGSUMEXP
#include "passes/Passes.h.inc"

namespace {

/// The uses of `value`, through ops that only broadcast or reorder it.
SmallVector<OpOperand *> usesOf(Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses()) {
    if (use.getOwner()->hasTrait<SameByName>())
      llvm::append_range(uses, usesOf(use.getOwner()->getResult(0)));
    else
      uses.push_back(&use);
  }
  return uses;
}

/// The op `Op` that alone uses `value`; null if there is another.
template <typename Op> Op onlyUser(Value value) {
  SmallVector<OpOperand *> uses = usesOf(value);
  return uses.size() == 1 ? dyn_cast<Op>(uses[0]->getOwner()) : Op();
}

/// What is computed from a maximum that cancels: differences with it, and logarithms of sums of
/// their exponentials. `max + log`, `log - (y - max)` and `(y - max) - log` are the same for any
/// other number in the place of max, so it has no gradient.
class Shift {
public:
  explicit Shift(ReduceMaxOp max) : max(max) {}

  bool cancels() {
    for (OpOperand *use : usesOf(max.getResult())) {
      if (auto add = dyn_cast<AddOp>(use->getOwner())) {
        additions.insert(add);
        continue;
      }
      auto shifted = dyn_cast<SubOp>(use->getOwner());
      if (!shifted || use->getOperandNumber() != 1 || bare(shifted.getLhs()) == max.getResult())
        return false;
      differences.insert(shifted.getResult());
    }
    // A difference is used by the exponential of a logarithm's sum, by subtractions of a difference
    // and a logarithm, or by both; a logarithm by such subtractions, or added to the maximum.
    for (Value difference : differences)
      for (OpOperand *use : usesOf(difference))
        if (auto exp = dyn_cast<ExpOp>(use->getOwner())) {
          auto sum = onlyUser<SumOp>(exp.getResult());
          auto log = sum ? onlyUser<LogOp>(sum.getResult()) : LogOp();
          if (!log || llvm::any_of(sum.getOver(),
                                   [&](DimAttr dim) { return hasDim(max.getResult(), dim); }))
            return false;
          logarithms.insert(log.getResult());
        }
    auto areUsed = [&](auto values, auto right) {
      return llvm::all_of(values, [&](Value value) {
        return llvm::all_of(usesOf(value), [&](OpOperand *use) { return right(use->getOwner()); });
      });
    };
    return !logarithms.empty() && llvm::all_of(additions, [&](AddOp op) { return isSum(op); }) &&
           areUsed(differences,
                   [&](Operation *op) { return isa<ExpOp>(op) || isDifference(op); }) &&
           areUsed(logarithms, [&](Operation *op) { return isDifference(op) || isSum(op); });
  }

  /// A `max + log` in there, or null.
  AddOp addition() const { return additions.empty() ? AddOp() : additions.front(); }

private:
  /// (y - max) - log, or log - (y - max).
  bool isDifference(Operation *op) const {
    auto sub = dyn_cast<SubOp>(op);
    if (!sub)
      return false;
    Value a = bare(sub.getLhs()), b = bare(sub.getRhs());
    return (differences.contains(a) && logarithms.contains(b)) ||
           (logarithms.contains(a) && differences.contains(b));
  }

  /// max + log.
  bool isSum(Operation *op) const {
    auto add = dyn_cast<AddOp>(op);
    Value maximum = ReduceMaxOp(max).getResult();
    return add && llvm::any_of(bothWays(add), [&](auto sides) {
             auto [log, top] = sides;
             return bare(top) == maximum && logarithms.contains(bare(log));
           });
  }

  ReduceMaxOp max;
  llvm::SmallSetVector<Value, 4> differences, logarithms;
  llvm::SmallSetVector<AddOp, 2> additions;
};

struct FormLogSumExp : impl::FormLogSumExpBase<FormLogSumExp> {
  static constexpr RemarkTopic topic = topicOf("logsumexp");

  /// The maximum of which `shift` is where(max(maximum, -maximum) < inf, maximum, 0).
  static ReduceMaxOp maximumOf(Value shift, const Dims &dims) {
    auto where = bare(shift).getDefiningOp<WhereOp>();
    auto maximum = where ? bare(where.getThen()).getDefiningOp<ReduceMaxOp>() : nullptr;
    auto compare = where ? bare(where.getCondition()).getDefiningOp<CompareOp>() : nullptr;
    if (!maximum || !compare || compare.getPredicate() != Comparison::lt ||
        constantOf(where.getOtherwise(), dims) != 0.0 ||
        constantOf(compare.getRhs(), dims) != std::numeric_limits<double>::infinity())
      return nullptr;
    auto magnitude = bare(compare.getLhs()).getDefiningOp<MaxOp>();
    bool isMagnitude = magnitude && llvm::any_of(bothWays(magnitude), [&](auto sides) {
                         auto negative = bare(sides.second).template getDefiningOp<NegOp>();
                         return bare(sides.first) == maximum.getResult() && negative &&
                                bare(negative.getInput()) == maximum.getResult();
                       });
    return isMagnitude ? maximum : nullptr;
  }

  /// The x of log(sum[d](exp(x - shift))), if `shift` is its maximum over the same dimension, where
  /// that is finite. Without this, infinite values give inf - inf, which logsumexp does not.
  static Value match(Value logarithm, Value shift, const Dims &dims) {
    auto log = bare(logarithm).getDefiningOp<LogOp>();
    ReduceMaxOp max = maximumOf(shift, dims);
    auto sum = log ? bare(log.getInput()).getDefiningOp<SumOp>() : nullptr;
    if (!sum || !max || max.getOver() != sum.getOver() || sum.getOver().size() != 1)
      return nullptr;
    auto exp = sum.getInput().getDefiningOp<ExpOp>();
    auto shifted = exp ? exp.getInput().getDefiningOp<SubOp>() : nullptr;
    if (!shifted || bare(shifted.getRhs()) != bare(shift) ||
        bare(shifted.getLhs()) != bare(max.getInput()) ||
        !hasDim(shifted.getLhs(), sum.getOver()[0]))
      return nullptr;
    return shifted.getLhs();
  }

  void runOnOperation() override {
    Dims dims(getOperation());
    getOperation().walk([&](AddOp add) {
      for (auto [log, shift] : bothWays(add)) {
        Value input = match(log, shift, dims);
        if (!input)
          continue;
        if (isForbidden(add, topic))
          return;
        DimAttr over = maximumOf(shift, dims).getOver()[0];
        OpBuilder builder(add);
        return replaceOp(add, LogSumExpOp::create(builder, add.getLoc(), over, input));
      }
    });
    eraseDead(getOperation());
    getOperation().walk([](ReduceMaxOp max) {
      Shift shift(max);
      if (!shift.cancels())
        return;
      max.setShift(true);
      if (AddOp sum = shift.addition())
        remarkMissed(sum, topic,
                     "logsumexp is not fused: where the maximum along `" +
                         max.getOver()[0].getValue() +
                         "` is infinite, inf - inf is NaN; subtract and add where(max(m, -m) < "
                         "inf, m, 0) in the place of the maximum m");
    });
  }
};

} // namespace
} // namespace weft
