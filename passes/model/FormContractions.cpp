// sum[d](a * b)  ==>  contract[d](a, b)
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/model/DeadOps.h"
#include "passes/model/Scalars.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMCONTRACTIONS
#include "passes/Passes.h.inc"

namespace {

/// The factors of a product. Products inside it are split only where that is free: constants
/// always, other factors where neither side has all dimensions of the product (an outer product,
/// which must not be computed as a whole only to be summed).
struct Product {
  const Dims &dims;
  double scale = 1;
  SmallVector<Value> factors;

  void take(Value value, bool root) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse())
      return factors.push_back(value);
    if (auto order = dyn_cast<ArrangeOp>(op))
      return take(order.getInput(), root);
    if (auto neg = dyn_cast<NegOp>(op)) {
      scale = -scale;
      return take(neg.getInput(), root);
    }
    if (auto div = dyn_cast<DivOp>(op))
      if (auto by = constantOf(div.getRhs(), dims);
          by && *by != 0 && dimsOf(div.getRhs()).empty()) {
        scale /= *by;
        return take(div.getLhs(), root);
      }
    auto mul = dyn_cast<MulOp>(op);
    if (!mul)
      return factors.push_back(value);
    for (auto [side, other] : bothWays(mul))
      if (auto by = constantOf(side, dims); by && dimsOf(side).empty()) {
        scale *= *by;
        return take(other, root);
      }
    bool outer = !contains(dimsOf(mul.getLhs()), dimsOf(value)) &&
                 !contains(dimsOf(mul.getRhs()), dimsOf(value));
    if (!root && !outer)
      return factors.push_back(value);
    take(mul.getLhs(), false);
    take(mul.getRhs(), false);
  }

  /// A broadcast along dimensions that another factor has anyway is dropped.
  void dropBroadcasts() {
    for (Value &factor : factors)
      while (auto broadcast = factor.getDefiningOp<BroadcastOp>()) {
        bool covered = llvm::all_of(broadcast.getAlong(), [&](DimAttr dim) {
          return llvm::any_of(
              factors, [&](Value &other) { return &other != &factor && hasDim(other, dim); });
        });
        if (!covered)
          break;
        factor = broadcast.getInput();
      }
  }
};

/// One step of a product's sum: terms are numbered, factors first, then the results of the steps.
struct Step {
  enum Kind { sum, multiply, contract } kind;
  unsigned lhs, rhs;
  DimList over;
};

/// Finds an order of pairwise contractions that never makes an outer product; empty if there is no
/// contraction in it.
struct Plan {
  SmallVector<DimList> terms;
  SmallVector<unsigned> live;
  SmallVector<Step> steps;

  Plan(ArrayRef<Value> factors) {
    for (auto [i, factor] : llvm::enumerate(factors)) {
      terms.emplace_back(dimsOf(factor));
      live.push_back(i);
    }
  }

  void step(Step::Kind kind, unsigned a, unsigned b, DimList over) {
    terms.push_back(without(kind == Step::sum ? terms[a] : with(terms[a], terms[b]), over));
    llvm::erase_if(live, [&](unsigned i) { return i == a || (kind != Step::sum && i == b); });
    live.push_back(terms.size() - 1);
    steps.push_back({kind, a, b, std::move(over)});
  }

  /// Those of `over` that `a` or `b` has and no other term.
  DimList only(ArrayRef<DimAttr> over, unsigned a, unsigned b) const {
    DimList exclusive = both(over, with(terms[a], terms[b]));
    for (unsigned i : live)
      if (i != a && i != b)
        exclusive = without(exclusive, terms[i]);
    return exclusive;
  }

  bool sumOne(ArrayRef<DimAttr> over) {
    for (unsigned i : live)
      if (DimList summed = only(over, i, i); !summed.empty()) {
        step(Step::sum, i, i, summed);
        return true;
      }
    return false;
  }

  bool contractPair(ArrayRef<DimAttr> over) {
    std::optional<std::pair<unsigned, unsigned>> best;
    size_t rank = 0;
    for (unsigned a : live)
      for (unsigned b : live) {
        DimList summed = a < b ? only(over, a, b) : DimList();
        if (summed.empty() || !isContraction(summed, terms[a], terms[b]))
          continue;
        size_t resultRank = without(with(terms[a], terms[b]), summed).size();
        if (!best || resultRank < rank)
          best = {a, b}, rank = resultRank;
      }
    if (!best)
      return false;
    step(Step::contract, best->first, best->second, only(over, best->first, best->second));
    return true;
  }

  bool multiplyPair(bool outer) {
    for (unsigned a : live)
      for (unsigned b : live)
        if (a != b && (outer || contains(terms[b], terms[a]))) {
          step(Step::multiply, std::min(a, b), std::max(a, b), {});
          return true;
        }
    return false;
  }

  bool find(ArrayRef<DimAttr> over) {
    while (true) {
      bool open = llvm::any_of(live, [&](unsigned i) { return !both(over, terms[i]).empty(); });
      bool contracts =
          llvm::any_of(steps, [](const Step &step) { return step.kind == Step::contract; });
      if (live.size() == 1 && !open)
        return contracts;
      if (sumOne(over) || contractPair(over))
        continue;
      if (live.size() == 1 || (live.size() == 2 && !contracts) || !multiplyPair(!open))
        return false;
    }
  }
};

Value build(OpBuilder &builder, Location loc, ArrayRef<Value> factors, ArrayRef<Step> steps) {
  SmallVector<Value> terms(factors);
  for (const Step &step : steps) {
    ArrayRef<DimAttr> over = step.over;
    if (step.kind == Step::sum)
      terms.push_back(SumOp::create(builder, loc, over, terms[step.lhs]));
    else if (step.kind == Step::multiply)
      terms.push_back(MulOp::create(builder, loc, terms[step.lhs], terms[step.rhs]));
    else
      terms.push_back(ContractOp::create(builder, loc, over, terms[step.lhs], terms[step.rhs]));
  }
  return terms.back();
}

struct FormContractions : impl::FormContractionsBase<FormContractions> {
  // sum[d](c * a * b)  ==>  c * contract[d](a, b)
  void form(SumOp sum, const Dims &dims) {
    if (!typeOf(sum.getResult()).isFloat() || !sum.getInput().hasOneUse())
      return;
    DimList over(sum.getOver());
    Product product{dims, 1, {}};
    product.take(sum.getInput(), true);
    product.dropBroadcasts();
    if (product.factors.size() < 2 || !llvm::all_of(over, [&](DimAttr dim) {
          return llvm::any_of(product.factors, [&](Value factor) { return hasDim(factor, dim); });
        }))
      return;
    Plan plan(product.factors);
    if (!plan.find(over))
      return;
    OpBuilder builder(sum);
    Value result = build(builder, sum.getLoc(), product.factors, plan.steps);
    if (product.scale != 1)
      result = MulOp::create(builder, sum.getLoc(), result,
                             number(builder, sum.getLoc(), product.scale));
    replaceOp(sum, result);
  }

  void runOnOperation() override {
    Dims dims(getOperation());
    SmallVector<SumOp> sums;
    getOperation().walk([&](SumOp sum) { sums.push_back(sum); });
    for (SumOp sum : sums)
      form(sum, dims);
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace weft
