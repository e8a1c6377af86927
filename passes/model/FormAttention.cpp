// contract[key](dropout(softmax[key](cap(contract[depth](q, k) * scale) + bias, mask)), v)  ==>
// attention(q, k, v, mask, bias, keep)
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/DeadOps.h"
#include "passes/model/Scalars.h"

#include <cmath>

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMATTENTION
#include "passes/Passes.h.inc"

namespace {

/// What is added to scores: a value times a number, and times values that are constant along `key`.
struct Term {
  Value value;
  double factor;
  SmallVector<Value> factors, divisors;
};

/// The scores of an attention: contract[depth](q, k), times a constant, times what is constant
/// along `key`; cap * tanh(… / cap) of it; and what is added, before the cap or behind it.
struct Scores {
  ContractOp contract;
  double scale = 1, cap = 0;
  SmallVector<Value> factors, divisors;
  SmallVector<Term> bias;
  bool cappedBias = false;
};

struct FormAttention : impl::FormAttentionBase<FormAttention> {
  static constexpr RemarkTopic topic = topicOf("attention");
  /// The product with values that is looked at.
  Operation *product = nullptr;

  std::nullopt_t refuse(Operation *op, const Twine &why) const {
    remarkMissed(op, topic, "attention is not fused: " + why, product);
    return std::nullopt;
  }

  static std::string opName(Operation *op) {
    return ("`" + op->getName().stripDialect() + "`").str();
  }

  /// The contraction that scores are made of, if `value` is on the way to it.
  static ContractOp productOf(Value value, DimAttr key) {
    Operation *op = bare(value).getDefiningOp();
    if (auto contract = dyn_cast_or_null<ContractOp>(op))
      return hasDim(contract, key) ? contract : ContractOp();
    // What has other uses could be computed from much.
    if (!op || !op->hasTrait<OpTrait::Elementwise>() || !op->hasOneUse())
      return {};
    ContractOp found;
    for (Value operand : op->getOperands())
      // Of two products, that of fewer positions of a batch is of queries and keys; the other one
      // is of something that belongs to each pair of them, and is added.
      if (ContractOp other = productOf(operand, key);
          other && (!found || shared(other) < shared(found)))
        found = other;
    return found;
  }

  /// How many dimensions both sides have that are not summed over.
  static size_t shared(ContractOp op) {
    return both(dimsOf(op.getLhs()), dimsOf(op.getRhs())).size() - op.getOver().size();
  }

  /// Walks down from what softmax is of to the contraction; null, after a remark, if something else
  /// is in the way.
  std::optional<Scores> matchScores(SoftmaxOp softmax, const Dims &dims) const {
    Scores scores;
    Value value = softmax.getInput();
    DimAttr key = softmax.getOverAttr();
    auto scales = [&](Value factor, SmallVector<Value> &list, bool inverse) {
      if (auto known = constantOf(factor, dims); known && *known != 0 && std::isfinite(*known)) {
        scores.scale = inverse ? scores.scale / *known : scores.scale * *known;
        return true;
      }
      if (hasDim(factor, key))
        return false;
      list.push_back(factor);
      return true;
    };
    // Which operand leads to the product.
    auto side = [&](Operation *op) {
      return productOf(op->getOperand(0), key) == productOf(value, key) ? 0 : 1;
    };
    while (true) {
      if (!value.hasOneUse())
        return refuse(softmax, "its scores are also used elsewhere, so they have to be stored; "
                               "an entry without that use fuses it");
      Operation *op = value.getDefiningOp();
      if (auto contract = dyn_cast_or_null<ContractOp>(op)) {
        scores.contract = contract;
        return scores;
      }
      if (auto order = dyn_cast_or_null<ArrangeOp>(op)) {
        value = order.getInput();
      } else if (isa_and_nonnull<MulOp>(op)) {
        unsigned inner = side(op);
        if (!scales(op->getOperand(1 - inner), scores.factors, false))
          break;
        value = op->getOperand(inner);
      } else if (auto div = dyn_cast_or_null<DivOp>(op)) {
        if (!scales(div.getRhs(), scores.divisors, true))
          break;
        value = div.getLhs();
      } else if (isa_and_nonnull<AddOp, SubOp>(op) && productOf(value, key)) {
        unsigned inner = side(op);
        if (scores.cap != 0 && !scores.bias.empty() && !scores.cappedBias)
          return refuse(softmax,
                        "a bias is added before its cap and behind it; one kernel adds one "
                        "of them");
        scores.cappedBias = scores.cap != 0;
        bool minus = isa<SubOp>(op);
        scores.bias.push_back({op->getOperand(1 - inner),
                               minus && inner == 0 ? -scores.scale : scores.scale, scores.factors,
                               scores.divisors});
        if (minus && inner == 1)
          scores.scale = -scores.scale;
        value = op->getOperand(inner);
      } else if (auto tanh = dyn_cast_or_null<TanhOp>(op)) {
        if (scores.cap != 0)
          return refuse(softmax,
                        "its scores are capped twice; one kernel caps them once: leave one out");
        if (!scores.factors.empty() || !scores.divisors.empty())
          return refuse(softmax,
                        "its scores are capped by values; a number is a cap of one kernel");
        scores.cap = scores.scale;
        value = tanh.getInput();
      } else {
        break;
      }
    }
    if (auto repeated = value.getDefiningOp<BroadcastOp>())
      return refuse(softmax, "its scores are repeated along `" +
                                 repeated.getAlong().front().getValue() +
                                 "`, which queries and keys lack; let q have the dimension");
    if (Operation *op = value.getDefiningOp())
      return refuse(
          softmax, opName(op) + " stands between the scores and their softmax; scores are the "
                                "product of queries and keys, scaled, capped by tanh, with a bias; "
                                "masked_softmax hides some");
    return refuse(softmax,
                  "its scores are no product of queries and keys; let them be the sum of one");
  }

  /// Whether what is scaled and added has only dimensions that scores have.
  bool fits(SoftmaxOp softmax, const Scores &scores) const {
    ContractOp product = scores.contract;
    Value q = product.getLhs(), k = product.getRhs();
    ArrayRef<DimAttr> depth = product.getOver();
    DimList all = without(with(dimsOf(q), dimsOf(k)), depth);
    for (const SmallVector<Value> *list : {&scores.factors, &scores.divisors})
      for (Value value : *list)
        all = with(all, dimsOf(value));
    auto alien = [&](Value value, bool mayBeNew) {
      for (DimAttr dim : dimsOf(value)) {
        // A name that is contracted here stands for another dimension out there.
        bool contracted = llvm::is_contained(depth, dim);
        if (contracted || (!mayBeNew && !llvm::is_contained(all, dim)))
          return dim;
      }
      return DimAttr();
    };
    for (const SmallVector<Value> *list : {&scores.factors, &scores.divisors})
      for (Value value : *list)
        if (DimAttr dim = alien(value, /*mayBeNew=*/true)) {
          refuse(softmax, "its scores are scaled along `" + dim.getValue() +
                              "`, which q and k are contracted over; give one of both another "
                              "name");
          return false;
        }
    for (const Term &term : scores.bias) {
      SmallVector<Value> values(term.factors);
      llvm::append_range(values, term.divisors);
      values.push_back(term.value);
      for (Value value : values)
        if (DimAttr dim = alien(value, /*mayBeNew=*/false)) {
          refuse(softmax, "its bias has `" + dim.getValue() +
                              "`, which queries and keys lack: their product would have to be "
                              "computed once for each of these; let q have the dimension");
          return false;
        }
    }
    return true;
  }

  /// From what values are weighted by down to the softmax. `between`: an op on the way that dropout
  /// has not; `shown`: whether something on the way has other uses.
  struct Dropped {
    SoftmaxOp softmax;
    Value keep;
    bool drops = false; // `keep` says what is dropped
    double factor = 1;
    Operation *between = nullptr;
    bool shown = false;
  };
  static std::optional<Dropped> matchDropped(Value weights, const Dims &dims) {
    Dropped found;
    auto isZero = [&](Value value) { return constantOf(value, dims) == 0.0; };
    for (Value value = weights;;) {
      Operation *op = value.getDefiningOp();
      if (!op)
        return std::nullopt;
      found.shown |= !op->hasOneUse();
      if ((found.softmax = dyn_cast<SoftmaxOp>(op)))
        return found;
      if (op->hasTrait<SameByName>()) {
        value = op->getOperand(0);
      } else if (auto where = dyn_cast<WhereOp>(op)) {
        found.drops = isZero(where.getThen());
        if (found.keep || found.drops == isZero(where.getOtherwise()))
          found.between = op;
        found.keep = where.getCondition();
        value = found.drops ? where.getOtherwise() : where.getThen();
      } else if (isa<MulOp, DivOp>(op)) {
        unsigned inner = isa<MulOp>(op) && constantOf(op->getOperand(0), dims) ? 1 : 0;
        std::optional<double> factor = constantOf(op->getOperand(1 - inner), dims);
        // Of a factor that is not finite, what is dropped inside of it is NaN, not 0.
        bool scales = factor && std::isfinite(*factor) && !(isa<DivOp>(op) && *factor == 0);
        if (!scales)
          found.between = op;
        found.factor =
            isa<MulOp>(op) ? found.factor * factor.value_or(1) : found.factor / factor.value_or(1);
        value = op->getOperand(inner);
      } else {
        return std::nullopt;
      }
    }
  }

  /// The sum of what is added to scores; null if nothing is.
  static Value biasOf(OpBuilder &builder, Location loc, const Scores &scores) {
    Value sum;
    for (const Term &term : scores.bias) {
      Value value = bare(term.value);
      if (term.factor != 1)
        value = MulOp::create(builder, loc, value, number(builder, loc, term.factor));
      for (Value factor : term.factors)
        value = MulOp::create(builder, loc, value, factor);
      for (Value divisor : term.divisors)
        value = DivOp::create(builder, loc, value, divisor);
      sum = sum ? Value(AddOp::create(builder, loc, sum, value)) : value;
    }
    return sum;
  }

  void form(ContractOp outer, const Dropped &dropped, Value v, const Dims &dims) {
    SoftmaxOp softmax = dropped.softmax;
    DimAttr key = softmax.getOverAttr();
    product = outer;
    if (!llvm::is_contained(outer.getOver(), key) || !hasDim(v, key))
      return;
    if (outer.getOver().size() > 1)
      return void(refuse(softmax, "its values are summed along more than `" + key.getValue() +
                                      "`; sum along that alone, and along the rest behind it"));
    auto scores = matchScores(softmax, dims);
    if (!scores || !fits(softmax, *scores))
      return;
    if (dropped.shown)
      return void(refuse(softmax, "its weights are also used elsewhere, so they have to be "
                                  "stored; an entry without that use fuses it"));
    if (dropped.between || (!dropped.keep && dropped.factor != 1)) {
      std::string what = dropped.between ? opName(dropped.between) : "a factor";
      return void(refuse(softmax, what +
                                      " stands between its weights and their values; weights may "
                                      "be dropped, as `dropout` does"));
    }
    Value q = scores->contract.getLhs(), k = scores->contract.getRhs();
    if (hasDim(q, key))
      std::swap(q, k);
    if (hasDim(q, key) || !hasDim(k, key))
      return void(refuse(softmax, "both sides of the scores depend on `" + key.getValue() +
                                      "`; what is multiplied by keys has to be the same for all of "
                                      "them"));
    if (dropped.keep)
      for (DimAttr dim : dimsOf(bare(dropped.keep)))
        if (!hasDim(softmax, dim))
          return void(refuse(softmax, "what is dropped has `" + dim.getValue() +
                                          "`, which its weights lack: they would have to be "
                                          "computed once for each of these; let q have the "
                                          "dimension"));
    if (isForbidden(softmax, topic, product))
      return;
    OpBuilder builder(outer);
    Location loc = heldTo(outer.getLoc(), softmax.getLoc());
    for (Value factor : scores->factors)
      q = MulOp::create(builder, loc, q, factor);
    for (Value divisor : scores->divisors)
      q = DivOp::create(builder, loc, q, divisor);
    Value bias = biasOf(builder, loc, *scores);
    Value keep = dropped.keep ? bare(dropped.keep) : Value();
    if (keep && dropped.drops)
      keep = NotOp::create(builder, loc, keep);
    auto attention = AttentionOp::create(
        builder, loc, key, scores->contract.getOverAttr(), q, k, v, softmax.getMask(), bias, keep,
        builder.getF64FloatAttr(scores->scale), builder.getF64FloatAttr(scores->cap),
        builder.getF64FloatAttr(keep ? dropped.factor : 1),
        scores->cappedBias ? builder.getUnitAttr() : UnitAttr());
    replaceOp(outer, attention.getOutput());
    remark::passed(loc, remark::RemarkOpts::name("attention").category("weft-form-attention"))
        << "scores, softmax and values are one attention";
  }

  void runOnOperation() override {
    Dims dims(getOperation());
    SmallVector<ContractOp> contracts;
    getOperation().walk([&](ContractOp contract) { contracts.push_back(contract); });
    for (ContractOp contract : contracts)
      for (auto [weights, v] : bothWays(contract))
        if (auto dropped = matchDropped(weights, dims)) {
          form(contract, *dropped, v, dims);
          break;
        }
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace weft
