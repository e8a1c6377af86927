// Idioms as the primitive ops that a rows kernel computes.
#include "ir/kernel/RowExpand.h"

#include "ir/model/infer/Align.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace weft::model;

namespace weft::kernel {

namespace {

/// Writes primitives before the idiom that they replace.
struct Expansion {
  OpBuilder builder;
  Location loc;

  Value number(double value) {
    return ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  }
  Value add(Value a, Value b) { return AddOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return SubOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return MulOp::create(builder, loc, a, b); }
  Value div(Value a, Value b) { return DivOp::create(builder, loc, a, b); }
  Value exp(Value a) { return ExpOp::create(builder, loc, a); }
  Value where(Value condition, Value a, Value b) {
    return WhereOp::create(builder, loc, condition, a, b);
  }
  Value compare(Comparison how, Value a, Value b) {
    return CompareOp::create(builder, loc, how, a, b);
  }
  Value sum(ArrayRef<DimAttr> over, Value a) { return SumOp::create(builder, loc, over, a); }

  Value mean(ArrayRef<DimAttr> over, Value a) {
    return div(sum(over, a), model::countOf(builder, loc, over));
  }

  // e = exp(x - max), softmax = e / sum[over](e); e is 0 where the mask is false.
  Value softmax(ArrayRef<DimAttr> over, Value x, Value mask, bool guarded) {
    auto kept = [&](Value value) { return mask ? where(mask, value, number(-INFINITY)) : value; };
    Value e = exp(kept(sub(x, ReduceMaxOp::create(builder, loc, over, kept(x)))));
    Value total = sum(over, e), scale = div(number(1), total);
    if (mask || guarded)
      scale = where(compare(Comparison::gt, total, number(0)), scale, number(1));
    return mul(e, scale);
  }

  Value softmaxGrad(SoftmaxGradOp op) {
    DimAttr over = op.getOver();
    Value weights = op.getWeights(), gradient = op.getGradient();
    return mul(weights, sub(gradient, sum(over, mul(gradient, weights))));
  }

  // Shifting by an infinite maximum would give inf - inf; by 0 it gives the right infinity.
  Value finiteMaximum(ArrayRef<DimAttr> over, Value x) {
    Value maximum = ReduceMaxOp::create(builder, loc, over, x);
    Value isFinite =
        AndOp::create(builder, loc, compare(Comparison::gt, maximum, number(-INFINITY)),
                      compare(Comparison::lt, maximum, number(INFINITY)));
    return where(isFinite, maximum, number(0));
  }

  Value logSumExp(ArrayRef<DimAttr> over, Value x) {
    Value shift = finiteMaximum(over, x);
    return add(LogOp::create(builder, loc, sum(over, exp(sub(x, shift)))), shift);
  }

  /// x minus its mean (if centered), and 1 / sqrt(mean of its square + eps).
  std::pair<Value, Value> moments(ArrayRef<DimAttr> over, Value x, double eps, bool centered) {
    Value centre = centered ? sub(x, mean(over, x)) : x;
    Value variance = mean(over, mul(centre, centre));
    return {centre, RsqrtOp::create(builder, loc, add(variance, number(eps)))};
  }

  Value normalize(NormalizeOp op) {
    auto [centre, scale] =
        moments(op.getOver(), op.getInput(), op.getEps().convertToDouble(), op.getCentered());
    return mul(centre, scale);
  }

  // y = (x - mean) r:  dx = r (g - mean(g) - y mean(g y)); without the middle term if not centered.
  Value normalizeGrad(NormalizeGradOp op) {
    auto [centre, scale] =
        moments(op.getOver(), op.getInput(), op.getEps().convertToDouble(), op.getCentered());
    Value gradient = op.getGradient(), y = mul(centre, scale);
    Value projected = mean(op.getOver(), mul(gradient, y));
    Value rest = op.getCentered() ? sub(gradient, mean(op.getOver(), gradient)) : gradient;
    return mul(scale, sub(rest, mul(y, projected)));
  }

  /// Scores of an attention, and by how much each rises with the product of its query and key,
  /// where that is not 1.
  struct Scores {
    Value all, slope;
  };
  template <typename Op> Scores scores(Op op) {
    Value s =
        mul(sum(op.getDepth(), mul(op.getQ(), op.getK())), number(op.getScale().convertToDouble()));
    Value slope, before = op.getCappedBias() ? op.getBias() : Value(),
                 behind = op.getCappedBias() ? Value() : op.getBias();
    if (before)
      s = add(s, before);
    if (double cap = op.getCap().convertToDouble(); cap != 0) {
      Value capped = TanhOp::create(builder, loc, div(s, number(cap)));
      slope = sub(number(1), mul(capped, capped));
      s = mul(capped, number(cap));
    }
    return {behind ? add(s, behind) : s, slope};
  }
  /// Weights, or their gradients, as values meet them.
  template <typename Op> Value dropped(Op op, Value weights) {
    if (!op.getKeep())
      return weights;
    return where(op.getKeep(), mul(weights, number(op.getKeepFactor().convertToDouble())),
                 number(0));
  }

  SmallVector<Value> attention(AttentionOp op) {
    Value s = scores(op).all, mask = op.getMask();
    DimAttr key = op.getKey();
    Value kept = mask ? where(mask, s, number(-INFINITY)) : s;
    return {sum(key, mul(dropped(op, softmax(key, s, mask, false)), op.getV())),
            logSumExp(key, kept)};
  }

  /// The sum of `value` over the dimensions that `type` lacks.
  Value summedTo(Value value, NamedTensorType type) {
    DimList over;
    for (DimAttr dim : model::dimsOf(value))
      if (!type.has(dim))
        over.push_back(dim);
    return over.empty() ? value : sum(over, value);
  }

  // p = exp(scores - lse), ds = p * (dropped(sum(gradient * v)) - sum(gradient * output))
  SmallVector<Value> attentionGrad(AttentionGradOp op) {
    auto [s, slope] = scores(op);
    Value mask = op.getMask(), gradient = op.getGradient();
    Value p = exp(sub(s, op.getLse()));
    if (mask)
      p = where(mask, p, number(0));
    Value dp = dropped(op, summedTo(mul(gradient, op.getV()), typeOf(p)));
    Value d = summedTo(mul(gradient, op.getOutput()), typeOf(op.getLse()));
    Value ds = mul(p, sub(dp, d)), scale = number(op.getScale().convertToDouble());
    if (mask) // masked elements that are not finite must not spread
      ds = where(mask, ds, number(0));
    Value dr = slope ? mul(ds, slope) : ds;
    Value scaled = mul(dr, scale);
    SmallVector<Value> results = {summedTo(mul(scaled, op.getK()), typeOf(op.getQ())),
                                  summedTo(mul(scaled, op.getQ()), typeOf(op.getK())),
                                  summedTo(mul(dropped(op, p), gradient), typeOf(op.getV()))};
    if (op.getBias())
      results.push_back(summedTo(op.getCappedBias() ? dr : ds, typeOf(op.getBias())));
    return results;
  }

  Value contract(ContractOp op) { return sum(op.getOver(), mul(op.getLhs(), op.getRhs())); }
};

void expandIdioms(FusedOp copy) {
  Block &body = copy.getBody().front();
  for (Operation &idiom : llvm::make_early_inc_range(body)) {
    Expansion expansion{OpBuilder(&idiom), idiom.getLoc()};
    using Values = SmallVector<Value>;
    Values values =
        llvm::TypeSwitch<Operation *, Values>(&idiom)
            .Case([&](SoftmaxOp op) {
              return Values{
                  expansion.softmax(op.getOver(), op.getInput(), op.getMask(), op.getGuarded())};
            })
            .Case([&](SoftmaxGradOp op) { return Values{expansion.softmaxGrad(op)}; })
            .Case([&](LogSumExpOp op) {
              return Values{expansion.logSumExp(op.getOver(), op.getInput())};
            })
            .Case([&](NormalizeOp op) { return Values{expansion.normalize(op)}; })
            .Case([&](NormalizeGradOp op) { return Values{expansion.normalizeGrad(op)}; })
            .Case([&](ContractOp op) { return Values{expansion.contract(op)}; })
            .Case([&](AttentionOp op) { return expansion.attention(op); })
            .Case([&](AttentionGradOp op) { return expansion.attentionGrad(op); })
            .Default([](Operation *) { return Values(); });
    if (values.empty())
      continue;
    // The order in which a type lists dimensions may differ from the primitives'; the values are
    // the same.
    for (auto [result, value] : llvm::zip_equal(idiom.getResults(), values)) {
      if (value.getType() != result.getType())
        value = ArrangeOp::create(expansion.builder, idiom.getLoc(), result.getType(), value);
      result.replaceAllUsesWith(value);
    }
    idiom.erase();
  }
  // Equal terms (a normalize and its gradient) become one, so that they are reduced once.
  IRRewriter rewriter(copy->getContext());
  DominanceInfo dominance(copy);
  eliminateCommonSubExpressions(rewriter, dominance, copy);
}

} // namespace

FailureOr<ExpandedRows> expandRows(FusedOp op, const DimTable &table, bool lanesMayBeOuter) {
  OwningOpRef<FusedOp> copy = cast<FusedOp>(op->clone());
  expandIdioms(*copy);
  FailureOr<RowProgram> program = analyseRows(*copy, table, lanesMayBeOuter);
  if (failed(program))
    return failure();
  return ExpandedRows{std::move(copy), std::move(*program)};
}

} // namespace weft::kernel
