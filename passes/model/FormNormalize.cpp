// (x - mean[d](x)) * rsqrt(mean[d]((x - mean[d](x)) ^ 2) + eps)  ==>  normalize[d](x), and without
// the mean.
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/DeadOps.h"
#include "passes/model/Scalars.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMNORMALIZE
#include "passes/Passes.h.inc"

namespace {

/// A standard deviation, sqrt(variance + eps).
struct Deviation {
  Value input;   // x, before the mean is subtracted
  Value shifted; // x - mean(x), or x itself
  DimList over;
  double eps;
  bool centered;
};

struct FormNormalize : impl::FormNormalizeBase<FormNormalize> {
  static constexpr RemarkTopic topic = topicOf("normalize");
  std::optional<Dims> dims;

  /// The sum that `mean` is, divided by the size of what it is over: sum[d](x) / size(d), sum[d](x)
  /// * (1 / size(d)).
  SumOp matchMean(Value mean) const {
    mean = bare(mean);
    auto fits = [&](Value sum, Value divisor) -> SumOp {
      auto op = bare(sum).getDefiningOp<SumOp>();
      auto count = op ? sizeOf(bare(divisor), *dims) : std::nullopt;
      return count && *count == dims->size(op.getOver()) ? op : nullptr;
    };
    if (auto div = mean.getDefiningOp<DivOp>())
      return fits(div.getLhs(), div.getRhs());
    auto mul = mean.getDefiningOp<MulOp>();
    if (!mul)
      return nullptr;
    for (auto [sum, factor] : bothWays(mul)) {
      auto op = bare(sum).getDefiningOp<SumOp>();
      if (!op)
        continue;
      auto inverse = bare(factor).getDefiningOp<DivOp>();
      if (inverse && constantOf(inverse.getLhs(), *dims) == 1.0)
        return fits(sum, inverse.getRhs());
      auto known = constantOf(factor, *dims);
      auto count = dims->size(op.getOver()).constant();
      if (known && count && *known == 1.0 / double(*count))
        return op;
    }
    return nullptr;
  }

  // y ^ 2, y * y
  Value matchSquare(Value square) const {
    square = bare(square);
    if (auto pow = square.getDefiningOp<PowOp>())
      return constantOf(pow.getRhs(), *dims) == 2.0 ? bare(pow.getLhs()) : Value();
    auto mul = square.getDefiningOp<MulOp>();
    return mul && bare(mul.getLhs()) == bare(mul.getRhs()) ? bare(mul.getLhs()) : Value();
  }

  /// The x of `shifted`, if that is x - mean[over](x); else null.
  Value matchShifted(Value shifted, ArrayRef<DimAttr> over) const {
    auto sub = bare(shifted).getDefiningOp<SubOp>();
    auto mean = sub ? matchMean(sub.getRhs()) : nullptr;
    if (!mean || !sameSet(mean.getOver(), over) || bare(mean.getInput()) != bare(sub.getLhs()))
      return nullptr;
    return sub.getLhs();
  }
  static bool sameSet(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b) {
    return contains(a, b) && contains(b, a);
  }

  std::optional<Deviation> matchVariance(Value variance, double eps) const {
    // mean[d](y ^ 2)
    if (auto mean = matchMean(variance)) {
      Value shifted = matchSquare(mean.getInput());
      DimList over(mean.getOver());
      if (!shifted || !contains(dimsOf(shifted), over))
        return std::nullopt;
      if (Value input = matchShifted(shifted, over))
        return Deviation{input, shifted, over, eps, true};
      return Deviation{shifted, shifted, over, eps, false};
    }
    // mean[d](x ^ 2) - mean[d](x) ^ 2
    auto sub = bare(variance).getDefiningOp<SubOp>();
    auto squares = sub ? matchMean(sub.getLhs()) : nullptr;
    Value mean = sub ? matchSquare(sub.getRhs()) : Value();
    auto first = mean ? matchMean(mean) : nullptr;
    if (!squares || !first || !sameSet(squares.getOver(), first.getOver()))
      return std::nullopt;
    Value input = matchSquare(squares.getInput());
    DimList over(first.getOver());
    if (!input || input != bare(first.getInput()) || !contains(dimsOf(input), over))
      return std::nullopt;
    return Deviation{input, nullptr, over, eps, true};
  }

  static void refuse(Operation *root, const Twine &why) {
    remarkMissed(root, topic, "normalize is not fused: " + why);
  }

  /// Of `sum`, of which `root` takes the root.
  std::optional<Deviation> matchSum(Value sum, Operation *root) const {
    auto add = bare(sum).getDefiningOp<AddOp>();
    if (!add) {
      if (matchVariance(sum, 0))
        refuse(root, "no constant above 0 is added to the mean of squares; add one, such as 1e-5");
      return std::nullopt;
    }
    for (auto [variance, eps] : bothWays(add))
      // With eps = 0 a constant row has the gradient of sqrt at 0, which normalize does not
      // compute.
      if (auto known = constantOf(eps, *dims); known && *known > 0)
        if (auto found = matchVariance(variance, *known))
          return found;
    for (auto [variance, eps] : bothWays(add))
      if (matchVariance(variance, 0))
        refuse(root,
               "what is added to the mean of squares is not a constant above 0; add a number");
      else if (SumOp squares = dividedSum(variance); squares && matchSquare(squares.getInput()))
        refuse(root, "the sum of squares along `" + squares.getOver()[0].getValue() +
                         "` is not divided by how many they are; take their mean");
    return std::nullopt;
  }

  /// The sum of which `quotient` is a constant part.
  SumOp dividedSum(Value quotient) const {
    auto div = bare(quotient).getDefiningOp<DivOp>();
    return div && constantOf(div.getRhs(), *dims) ? bare(div.getLhs()).getDefiningOp<SumOp>()
                                                  : SumOp();
  }

  /// Whether `value` is what the deviation is divided into: x - mean(x), or x.
  bool isNumerator(Value value, const Deviation &of) const {
    if (of.shifted)
      return bare(value) == bare(of.shifted);
    return matchShifted(value, of.over) && bare(matchShifted(value, of.over)) == bare(of.input);
  }

  /// The factors of a product, through products that nothing else uses.
  static void factors(Value value, SmallVectorImpl<Value> &out, bool root) {
    auto mul = value.getDefiningOp<MulOp>();
    if (!mul || (!root && !value.hasOneUse()))
      return out.push_back(value);
    factors(mul.getLhs(), out, false);
    factors(mul.getRhs(), out, false);
  }

  /// The product, possibly of more than two, in which `inverse` is a factor.
  static MulOp productAbove(Operation *inverse) {
    MulOp top;
    for (Operation *op = inverse; op->getNumResults() == 1 && op->hasOneUse();) {
      auto mul = dyn_cast<MulOp>(*op->user_begin());
      if (!mul)
        break;
      op = top = mul;
    }
    return top;
  }

  /// Puts `normalize` in the place of `quotient`, whose numerator has the factors `others` beside
  /// x.
  void replace(Operation *quotient, const Deviation &of, ArrayRef<Value> others) {
    if (isForbidden(quotient, topic))
      return;
    OpBuilder builder(quotient);
    Location loc = quotient->getLoc();
    Value result =
        NormalizeOp::create(builder, loc, of.over, of.input, APFloat(of.eps), of.centered);
    for (Value other : others)
      result = MulOp::create(builder, loc, result, other);
    replaceOp(quotient, result);
  }

  // c * r * w, r = 1 / deviation  ==>  normalize * w
  void formProduct(Operation *inverse, const Deviation &of) {
    MulOp top = productAbove(inverse);
    if (!top) {
      if (!inverse->hasOneUse())
        refuse(inverse, "its deviation is used for something else too; without that it is fused");
      return;
    }
    SmallVector<Value> all, others;
    factors(top.getResult(), all, true);
    bool found = false;
    for (Value factor : all) {
      if (factor == inverse->getResult(0))
        continue;
      if (!found && isNumerator(factor, of))
        found = true;
      else
        others.push_back(factor);
    }
    if (found)
      replace(top, of, others);
    else
      refuseFactors(inverse, of);
  }

  // c * w / deviation  ==>  normalize * w
  void formQuotient(DivOp div, const Deviation &of) {
    SmallVector<Value> all, others;
    factors(div.getLhs(), all, false);
    bool found = false;
    for (Value factor : all) {
      if (!found && isNumerator(factor, of))
        found = true;
      else
        others.push_back(factor);
    }
    if (found)
      replace(div, of, others);
    else
      refuseFactors(div, of);
  }

  static void refuseFactors(Operation *quotient, const Deviation &of) {
    refuse(quotient, "no factor of what is divided by the deviation is " +
                         Twine(of.centered ? "its values minus their mean; divide x - mean(x)"
                                           : "its values; divide these"));
  }

  void runOnOperation() override {
    dims.emplace(getOperation());
    SmallVector<Operation *> roots;
    getOperation().walk([&](Operation *op) {
      if (isa<RsqrtOp, DivOp>(op))
        roots.push_back(op);
    });
    for (Operation *op : roots) {
      if (auto rsqrt = dyn_cast<RsqrtOp>(op)) {
        if (auto of = matchSum(rsqrt.getInput(), rsqrt))
          formProduct(rsqrt, *of);
        continue;
      }
      auto div = cast<DivOp>(op);
      auto root = bare(div.getRhs()).getDefiningOp<SqrtOp>();
      auto of = root ? matchSum(root.getInput(), root) : std::nullopt;
      if (!of)
        continue;
      if (constantOf(div.getLhs(), *dims) == 1.0)
        formProduct(div, *of);
      else
        formQuotient(div, *of);
    }
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace weft
