// contract[key](softmax[key](contract[depth](q, k) * scale, mask), v)  ==>  attention(q, k, v,
// mask)
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/DeadOps.h"
#include "passes/model/Scalars.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMATTENTION
#include "passes/Passes.h.inc"

namespace {

/// The scores of an attention: contract[depth](q, k), times a constant, times what is constant
/// along `key`.
struct Scores {
  ContractOp contract;
  double scale = 1;
  SmallVector<Value> factors, divisors;
};

struct FormAttention : impl::FormAttentionBase<FormAttention> {
  static void refuse(Operation *op, const Twine &why) {
    remarkMissed(op, {"weft-form-attention", "attention"}, "attention is not fused: " + why);
  }

  /// Walks down from what softmax is of to the contraction; null, after a remark, if something else
  /// is in the way.
  static std::optional<Scores> matchScores(SoftmaxOp softmax, const Dims &dims) {
    Scores scores;
    Value value = softmax.getInput();
    llvm::SmallDenseSet<DimAttr> outside; // dimensions of what q is to be multiplied with
    auto scales = [&](Value factor, SmallVector<Value> &list, bool inverse) {
      if (auto known = constantOf(factor, dims); known && *known != 0) {
        scores.scale = inverse ? scores.scale / *known : scores.scale * *known;
        return true;
      }
      if (hasDim(factor, softmax.getOverAttr()))
        return false;
      for (DimAttr dim : dimsOf(factor))
        outside.insert(dim);
      list.push_back(factor);
      return true;
    };
    while (true) {
      if (!value.hasOneUse()) {
        refuse(softmax, "its scores are also used elsewhere");
        return std::nullopt;
      }
      Operation *op = value.getDefiningOp();
      if (auto contract = dyn_cast_or_null<ContractOp>(op)) {
        // A name that is contracted here stands for another dimension out there.
        for (DimAttr dim : contract.getOver())
          if (outside.contains(dim)) {
            refuse(softmax, "its scores are scaled along `" + dim.getValue() +
                                "`, which q and k are contracted over");
            return std::nullopt;
          }
        scores.contract = contract;
        return scores;
      }
      if (auto order = dyn_cast_or_null<ArrangeOp>(op)) {
        value = order.getInput();
      } else if (auto mul = dyn_cast_or_null<MulOp>(op)) {
        bool left = isProduct(mul.getLhs());
        if (!scales(left ? mul.getRhs() : mul.getLhs(), scores.factors, false))
          break;
        value = left ? mul.getLhs() : mul.getRhs();
      } else if (auto div = dyn_cast_or_null<DivOp>(op)) {
        if (!scales(div.getRhs(), scores.divisors, true))
          break;
        value = div.getLhs();
      } else {
        break;
      }
    }
    if (Operation *op = value.getDefiningOp())
      refuse(softmax,
             "`" + op->getName().stripDialect() + "` stands between the scores and their softmax");
    return std::nullopt;
  }

  /// Whether a chain of scalings starts here, so that the other side of a product is the scale.
  static bool isProduct(Value value) {
    while (Operation *op = bare(value).getDefiningOp()) {
      if (isa<ContractOp>(op))
        return true;
      if (!isa<MulOp, DivOp>(op))
        return false;
      if (auto mul = dyn_cast<MulOp>(op); mul && isProduct(mul.getRhs()))
        return true;
      value = op->getOperand(0);
    }
    return false;
  }

  static void form(ContractOp outer, SoftmaxOp softmax, Value v, const Dims &dims) {
    DimAttr key = softmax.getOverAttr();
    if (outer.getOver() != ArrayRef(key) || !hasDim(v, key))
      return;
    auto scores = matchScores(softmax, dims);
    if (!scores)
      return;
    if (!softmax.getResult().hasOneUse() || !onlyViewed(outer, softmax))
      return refuse(softmax, "its weights are also used elsewhere");
    Value q = scores->contract.getLhs(), k = scores->contract.getRhs();
    if (hasDim(q, key))
      std::swap(q, k);
    if (hasDim(q, key) || !hasDim(k, key))
      return refuse(softmax, "both sides of the scores depend on `" + key.getValue() + "`");
    OpBuilder builder(outer);
    Location loc = outer.getLoc();
    for (Value factor : scores->factors)
      q = MulOp::create(builder, loc, q, factor);
    for (Value divisor : scores->divisors)
      q = DivOp::create(builder, loc, q, divisor);
    auto attention = AttentionOp::create(builder, loc, key, scores->contract.getOverAttr(), q, k, v,
                                         softmax.getMask(), builder.getF64FloatAttr(scores->scale));
    replaceOp(outer, attention.getOutput());
    remark::passed(loc, remark::RemarkOpts::name("attention").category("weft-form-attention"))
        << "scores, softmax and values are one attention";
  }

  /// Whether nothing but `order` and `broadcast` lies between the weights and the contraction with
  /// the values.
  static bool onlyViewed(ContractOp outer, SoftmaxOp softmax) {
    for (Operation *op = *softmax->user_begin(); op != outer.getOperation(); op = *op->user_begin())
      if (!op->hasTrait<SameByName>() || !op->hasOneUse())
        return false;
    return true;
  }

  void runOnOperation() override {
    Dims dims(getOperation());
    SmallVector<ContractOp> contracts;
    getOperation().walk([&](ContractOp contract) { contracts.push_back(contract); });
    for (ContractOp contract : contracts)
      for (auto [weights, v] : bothWays(contract))
        if (auto softmax = bare(weights).getDefiningOp<SoftmaxOp>()) {
          form(contract, softmax, v, dims);
          break;
        }
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace weft
