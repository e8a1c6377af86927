// max[d](x) + log(sum[d](exp(x - max[d](x))))  ==>  logsumexp[d](x); and maxima that are subtracted
// on both sides of a difference, (y - max) - log(sum(exp(x - max))), are marked as having no
// gradient.
#include "ir/model/Align.h"
#include "passes/Passes.h"
#include "passes/model/DeadOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMLOGSUMEXP
#include "passes/Passes.h.inc"

namespace {

/// Where `value` is used, seen through ops that only look at it.
SmallVector<OpOperand *> usesOf(Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses()) {
    if (isa<ArrangeOp, BroadcastOp>(use.getOwner()))
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

/// What is computed from a maximum that is only taken away: differences with it, and logarithms of
/// sums of their exponentials. `log - (y - max)` and `(y - max) - log` are then what they would be
/// with any other shift, so the maximum has no gradient.
class Shift {
public:
  explicit Shift(ReduceMaxOp max) : max(max) {}

  bool cancels() {
    for (OpOperand *use : usesOf(max.getResult())) {
      auto shifted = dyn_cast<SubOp>(use->getOwner());
      if (!shifted || use->getOperandNumber() != 1 || bare(shifted.getLhs()) == max.getResult())
        return false;
      differences.insert(shifted.getResult());
    }
    // A difference goes into a logarithm, into a pair, or into both; a logarithm into pairs.
    for (Value difference : differences)
      for (OpOperand *use : usesOf(difference))
        if (auto exp = dyn_cast<ExpOp>(use->getOwner())) {
          auto sum = onlyUser<SumOp>(exp.getResult());
          auto log = sum ? onlyUser<LogOp>(sum.getResult()) : LogOp();
          if (!log || llvm::any_of(namesIn(sum.getOver()),
                                   [&](StringAttr dim) { return hasDim(max.getResult(), dim); }))
            return false;
          logarithms.insert(log.getResult());
        }
    return !logarithms.empty() && llvm::all_of(differences, [&](Value value) {
      return llvm::all_of(usesOf(value), [&](OpOperand *use) {
        return isa<ExpOp>(use->getOwner()) || isPair(use->getOwner());
      });
    }) && llvm::all_of(logarithms, [&](Value value) {
      return llvm::all_of(usesOf(value), [&](OpOperand *use) { return isPair(use->getOwner()); });
    });
  }

private:
  bool isPair(Operation *op) const {
    auto pair = dyn_cast<SubOp>(op);
    if (!pair)
      return false;
    Value a = bare(pair.getLhs()), b = bare(pair.getRhs());
    return (differences.contains(a) && logarithms.contains(b)) ||
           (logarithms.contains(a) && differences.contains(b));
  }

  ReduceMaxOp max;
  llvm::SmallSetVector<Value, 4> differences, logarithms;
};

struct FormLogSumExp : impl::FormLogSumExpBase<FormLogSumExp> {
  /// The x of log(sum[d](exp(x - top))), if `top` is its maximum over the same dimension.
  static Value match(Value logarithm, Value top) {
    auto log = bare(logarithm).getDefiningOp<LogOp>();
    auto max = bare(top).getDefiningOp<ReduceMaxOp>();
    auto sum = log ? bare(log.getInput()).getDefiningOp<SumOp>() : nullptr;
    if (!sum || !max || max.getOver() != sum.getOver() || sum.getOver().size() != 1)
      return nullptr;
    auto exp = sum.getInput().getDefiningOp<ExpOp>();
    auto shifted = exp ? exp.getInput().getDefiningOp<SubOp>() : nullptr;
    if (!shifted || bare(shifted.getRhs()) != max.getResult() ||
        bare(shifted.getLhs()) != bare(max.getInput()) ||
        !hasDim(shifted.getLhs(), cast<StringAttr>(sum.getOver()[0])))
      return nullptr;
    return shifted.getLhs();
  }

  void runOnOperation() override {
    getOperation().walk([](AddOp add) {
      for (auto [log, top] : bothWays(add)) {
        Value input = match(log, top);
        if (!input)
          continue;
        auto over = cast<StringAttr>(bare(top).getDefiningOp<ReduceMaxOp>().getOver()[0]);
        OpBuilder builder(add);
        return replaceOp(add, LogSumExpOp::create(builder, add.getLoc(), over, input));
      }
    });
    eraseDead(getOperation());
    getOperation().walk([](ReduceMaxOp max) {
      if (Shift(max).cancels())
        max->setAttr("weft.shift", UnitAttr::get(max.getContext()));
    });
  }
};

} // namespace
} // namespace weft
