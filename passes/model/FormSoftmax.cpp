// exp(x - max[d](x)) / sum[d](exp(x - max[d](x)))  ==>  softmax[d](x), and its masked form.
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/DeadOps.h"
#include "passes/model/Scalars.h"

#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMSOFTMAX
#include "passes/Passes.h.inc"

namespace {

constexpr double minusInfinity = -std::numeric_limits<double>::infinity();

struct FormSoftmax : impl::FormSoftmaxBase<FormSoftmax> {
  std::optional<Dims> dims;
  /// Why the exponentials over their sum that were looked at last are no softmax; empty if there
  /// were none.
  std::string why;
  DimAttr summed; ///< along which these are
  static constexpr RemarkTopic topic = topicOf("softmax");

  bool isConstant(Value value, double expected) const {
    auto found = constantOf(value, *dims);
    return found && *found == expected;
  }

  /// What is normalized: the values before exp, and the mask if there is one.
  struct Weights {
    Value input, mask;
    DimAttr over;
    bool guarded = false;
  };

  /// reduce_max[d](x), or reduce_max[d](where(mask, x, -inf)) if there is a mask.
  bool isTop(Value value, Value input, Value mask, DimAttr over) const {
    auto top = bare(value).getDefiningOp<ReduceMaxOp>();
    if (!top || top.getOver() != ArrayRef(over))
      return false;
    if (!mask)
      return bare(top.getInput()) == bare(input);
    auto kept = bare(top.getInput()).getDefiningOp<WhereOp>();
    return kept && bare(kept.getCondition()) == bare(mask) && bare(kept.getThen()) == bare(input) &&
           isConstant(kept.getOtherwise(), minusInfinity);
  }

  std::nullopt_t refuse(const Twine &reason) {
    why = reason.str();
    return std::nullopt;
  }

  // exp(x - top), or exp(where(mask, x - top, -inf)), or where(mask, exp(x - top), 0)
  std::optional<Weights> matchWeights(Value value, DimAttr over) {
    value = bare(value);
    Value mask;
    auto peel = [&](double fill) {
      auto where = value.getDefiningOp<WhereOp>();
      if (mask || !where || !isConstant(where.getOtherwise(), fill))
        return;
      mask = where.getCondition();
      value = bare(where.getThen());
    };
    peel(0);
    auto exp = value.getDefiningOp<ExpOp>();
    if (!exp)
      return std::nullopt;
    value = bare(exp.getInput());
    peel(minusInfinity);
    auto shifted = value.getDefiningOp<SubOp>();
    if (!shifted || !hasDim(shifted.getLhs(), over) ||
        !isTop(shifted.getRhs(), shifted.getLhs(), mask, over))
      return refuse("the maximum along `" + over.getValue() + "`" +
                    (mask ? " of what the mask keeps" : "") +
                    " is not subtracted before `exp`, which may overflow; subtract max(" +
                    (mask ? "where(mask, x, -inf))" : "x)"));
    return Weights{shifted.getLhs(), mask, over};
  }

  /// What sums the denominator's `where` admits (it has 1 in the place of others): all; those above
  /// 0; those that are not 0, NaN included.
  enum class Guard { none, positive, nonzero };

  /// The sum whose value `total` is, or that of where(sum > 0, sum, 1).
  SumOp matchTotal(Value total, Guard &guard) const {
    total = bare(total);
    guard = Guard::none;
    if (auto where = total.getDefiningOp<WhereOp>()) {
      auto compare = bare(where.getCondition()).getDefiningOp<CompareOp>();
      if (!compare || !isConstant(where.getOtherwise(), 1))
        return nullptr;
      Value sum = bare(where.getThen());
      bool positive = compare.getPredicate() == Comparison::gt && bare(compare.getLhs()) == sum &&
                      isConstant(compare.getRhs(), 0);
      bool below = compare.getPredicate() == Comparison::lt && bare(compare.getRhs()) == sum &&
                   isConstant(compare.getLhs(), 0);
      bool nonzero = compare.getPredicate() == Comparison::ne &&
                     ((bare(compare.getLhs()) == sum && isConstant(compare.getRhs(), 0)) ||
                      (bare(compare.getRhs()) == sum && isConstant(compare.getLhs(), 0)));
      if (!positive && !below && !nonzero)
        return nullptr;
      guard = nonzero ? Guard::nonzero : Guard::positive;
      total = sum;
    }
    return total.getDefiningOp<SumOp>();
  }

  /// The softmax of which `weights` are the numerators and `total` the denominator.
  std::optional<Weights> match(Value weights, Value total) {
    Guard guard;
    SumOp sum = matchTotal(total, guard);
    if (!sum || bare(sum.getInput()) != bare(weights))
      return std::nullopt;
    if (sum.getOver().size() != 1)
      return bare(weights).getDefiningOp<ExpOp>()
                 ? refuse("its sum is along several dimensions; merge them into one before")
                 : std::nullopt;
    DimAttr over = summed = sum.getOver()[0];
    if (!hasDim(bare(weights), over))
      return std::nullopt;
    auto found = matchWeights(weights, over);
    if (!found)
      return std::nullopt;
    // A row that is masked out entirely gives 0 from softmax, but 0 / 0 without a guard. Where the
    // sum is NaN, masked elements are 0 in softmax, but NaN if the guard admits NaN. Without a mask
    // no sum is 0.
    if (found->mask && guard != Guard::positive)
      return refuse("a row of which the mask keeps nothing is divided by 0; divide by where(sum > "
                    "0, sum, 1)");
    found->guarded = guard == Guard::positive && !found->mask;
    return found;
  }

  Value build(OpBuilder &builder, Location loc, const Weights &found) const {
    // The input may lack dimensions of the mask: it is broadcast along them.
    Value input = found.mask ? along(builder, loc, found.input, dimsOf(found.mask)) : found.input;
    return SoftmaxOp::create(builder, loc, found.over, input, found.mask, found.guarded);
  }

  // e / sum[d](e)  ==>  softmax[d]
  void form(DivOp div) {
    OpBuilder builder(div);
    if (auto found = match(div.getLhs(), div.getRhs())) {
      if (!isForbidden(div, topic))
        replaceOp(div, build(builder, div.getLoc(), *found));
      return;
    }
    // contract[d](e, v) / sum[d](e)  ==>  contract[d](softmax[d], v)
    auto contract = bare(div.getLhs()).getDefiningOp<ContractOp>();
    if (!contract || !contract.getResult().hasOneUse())
      return report(div);
    for (unsigned side : {0, 1}) {
      auto found = match(contract->getOperand(side), div.getRhs());
      if (!found || contract.getOver() != ArrayRef(found->over))
        continue;
      if (isForbidden(div, topic))
        return;
      Value sides[] = {contract.getLhs(), contract.getRhs()};
      sides[side] = build(builder, div.getLoc(), *found);
      return replaceOp(div, ContractOp::create(builder, contract.getLoc(), contract.getOver(),
                                               sides[0], sides[1]));
    }
    report(div);
  }

  /// Says why `quotient` stays as it is, if it looks like a softmax.
  void report(Operation *quotient) const {
    if (why.empty())
      return;
    remarkMissed(quotient, topic, "softmax is not fused: " + why);
    // An attention is made of one.
    for (Operation *product : productsOf(quotient))
      noteRefusal({quotient, product}, "attention",
                  "attention is not fused: its softmax is not: " + why);
  }

  /// The products with values that what `quotient` gives are the weights of.
  SmallVector<Operation *> productsOf(Operation *quotient) const {
    SmallVector<Operation *> products, open{quotient};
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (auto div = dyn_cast<DivOp>(quotient))
      if (auto contract = bare(div.getLhs()).getDefiningOp<ContractOp>())
        if (llvm::is_contained(contract.getOver(), summed))
          products.push_back(contract);
    auto isScaled = [](Operation *op) { return isa<MulOp, DivOp>(op); };
    while (!open.empty())
      for (Operation *user : open.pop_back_val()->getUsers()) {
        auto contract = dyn_cast<ContractOp>(user);
        bool isWeights = user->hasTrait<SameByName>() || isa<WhereOp>(user) || isScaled(user);
        if (contract && llvm::is_contained(contract.getOver(), summed))
          products.push_back(contract);
        else if (isWeights && seen.insert(user).second)
          open.push_back(user);
      }
    return products;
  }

  // e * (1 / sum[d](e))  ==>  e / sum[d](e)
  void form(MulOp mul) {
    for (auto [weights, inverse] : bothWays(mul)) {
      auto div = bare(inverse).getDefiningOp<DivOp>();
      if (!div || !isConstant(div.getLhs(), 1))
        continue;
      if (auto found = match(weights, div.getRhs())) {
        if (isForbidden(mul, topic))
          return;
        OpBuilder builder(mul);
        return replaceOp(mul, build(builder, mul.getLoc(), *found));
      }
    }
    report(mul);
  }

  void runOnOperation() override {
    dims.emplace(getOperation());
    SmallVector<Operation *> quotients;
    getOperation().walk([&](Operation *op) {
      if (isa<DivOp, MulOp>(op))
        quotients.push_back(op);
    });
    for (Operation *op : quotients) {
      why.clear();
      TypeSwitch<Operation *>(op).Case<DivOp, MulOp>([&](auto quotient) { form(quotient); });
    }
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace weft
