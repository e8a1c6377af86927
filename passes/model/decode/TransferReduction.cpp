// Transfer functions of reductions.
#include "passes/model/decode/Causality.h"

#include "ir/model/infer/Align.h"

#include <cmath>

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// In the words of the source: `sum[key]`.
static std::string called(Operation &op, ArrayRef<DimAttr> over) {
  StringRef name = op.getName().stripDialect();
  name.consume_front("reduce_");
  std::string list;
  for (DimAttr dim : over)
    list += (list.empty() ? "" : ", ") + dim.str();
  return "`" + (name == "contract" ? "sum" : name.str()) + "[" + list + "]`";
}

static std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text + "0" : text;
}

Fact Causality::reduced(Operation &op, const Fact &x, ArrayRef<DimAttr> names,
                        ArrayRef<DimAttr> over, const Formula &takes) {
  Fact fact;
  fact.reach = x.reach;
  if (!anyGrows(over))
    return fact;
  if (over.size() > 1)
    return unbounded(op, called(op, over) + " mixes positions");
  // max k with  index(over) <= index(u) + k  wherever an element takes part: so no element after u
  // + k does.
  DimAttr dim = over.front(), best;
  double shift = infinity;
  for (DimAttr other : names) {
    if (other == dim || !grows(other))
      continue;
    auto distance = sum(Linear::of(Unknown::index(dim)), Linear::of(Unknown::index(other)), -1);
    if (double found = largest(takes, *distance); found < shift) {
      shift = found;
      best = other;
    }
  }
  if (!best) {
    std::vector<std::string> notes;
    if (!takes.isAnything())
      notes.push_back("all that is known: only what has `" + takes.str() + "` takes part");
    for (const auto &[constant, where] : x.differs)
      if (std::isfinite(constant) && constant != 0 && !where.isAnything() && takes.isAnything())
        notes.push_back("masked positions hold " + number(constant) +
                        ", which takes part in the result; only what adds nothing (-inf in a "
                        "softmax, 0 in a sum) does not");
    if (dim != time)
      notes.push_back("help: let only `index(" + dim.str() + ") <= index(" + time.str() +
                      ")` take part");
    return unbounded(op, called(op, over) + " reads every position", std::move(notes));
  }
  windows.erase(&op);
  auto back = sum(Linear::of(Unknown::index(best)), Linear::of(Unknown::index(dim)), -1);
  if (double most = largest(takes, *back); std::isfinite(most))
    windows[&op] = int64_t(most);
  auto [rest, ahead] = splitOff(fact.reach, dim);
  fact.reach = std::move(rest);
  if (shift > -infinity)
    fact.reach = join(std::move(fact.reach), {{best, int64_t(shift) + ahead}});
  return fact;
}

Fact Causality::reduction(Operation &op) {
  Value input = op.getOperand(0), result = op.getResult(0);
  Fact x = operand(op, 0);
  ArrayRef<DimAttr> names = dimsOf(input);
  if (auto each = dyn_cast<CumSumOp>(op)) {
    if (each.getReverse() && grows(each.getDimAttr()))
      return unbounded(op, "a running sum from the end reads every later position");
    Reach reach = x.reach;
    if (grows(each.getDimAttr()))
      reach = join(std::move(reach), {{each.getDimAttr(), 0}});
    return opaque(result, std::move(reach));
  }
  if (auto each = dyn_cast<TopOp>(op))
    return grows(each.getDimAttr())
               ? unbounded(op, called(op, {each.getDimAttr()}) + " reads every position")
               : opaque(result, x.reach);
  DimList over = cast<Reducing>(op).reduced();
  if (isa<NormalizeOp>(op))
    return anyGrows(over) ? unbounded(op, called(op, over) + " reads every position")
                          : opaque(result, x.reach);

  double neutral = isa<SumOp>(op) ? 0 : isa<ReduceMinOp>(op) ? infinity : -infinity;
  Fact fact = reduced(op, x, names, over, x.differsFrom(neutral));
  if (fact.unbounded || isa<ArgMaxOp>(op))
    return fact.unbounded ? fact : opaque(result, fact.reach);
  Fact rest = opaque(result, fact.reach);
  if (!anyGrows(over))
    for (const auto &[constant, where] : x.differs)
      if (isa<ReduceMaxOp, ReduceMinOp>(op) || constant == neutral)
        if (Formula left = without(where, over); !left.isAnything())
          rest.differs.emplace(constant, std::move(left));
  return rest;
}

// sum[over](lhs * rhs)
Fact Causality::contraction(ContractOp op) {
  Fact product;
  product.reach = reachOf(*op);
  Formula nonzero = operand(*op, 0).differsFrom(0) & operand(*op, 1).differsFrom(0);
  DimList names = unionOfDims({typeOf(op.getLhs()), typeOf(op.getRhs())}),
          over = DimList(op.getOver());
  Fact fact = reduced(*op, product, names, over, nonzero);
  if (Formula left = without(nonzero, over);
      !fact.unbounded && !anyGrows(over) && !left.isAnything())
    fact.differs.emplace(0, std::move(left));
  return fact;
}

Fact Causality::softmax(SoftmaxOp op) {
  const Fact &x = operand(*op, 0);
  Formula takes = x.differsFrom(-infinity);
  if (op.getMask())
    takes = takes & of(op.getMask()).truthOrUnknown().yes;
  Fact all = x;
  all.reach = reachOf(*op);
  Fact fact = reduced(*op, all, dimsOf(op.getInput()), {op.getOverAttr()}, takes);
  if (fact.unbounded)
    return fact;
  fact.reach = join(std::move(fact.reach), all.reach);
  if (!takes.isAnything())
    fact.differs.emplace(0, takes);
  return fact;
}

Fact Causality::attention(AttentionOp op) {
  ArrayRef<DimAttr> depth = op.getDepth();
  if (anyGrows(depth))
    return unbounded(*op, called(*op, depth) + " reads every position");
  Formula takes = op.getMask() ? of(op.getMask()).truthOrUnknown().yes : Formula::anything();
  // A bias of -inf hides as a mask does, unless a cap makes it finite.
  if (op.getBias() && !op.getCappedBias())
    takes = takes & of(op.getBias()).differsFrom(-infinity);
  Fact all;
  all.reach = reachOf(*op);
  DimList names = unionOfDims({typeOf(op.getQ()), typeOf(op.getK())});
  Fact fact = reduced(*op, all, names, {op.getKeyAttr()}, takes);
  // Positions along the operands' other dimensions stay what they are; only `key` is reduced.
  return fact;
}

} // namespace weft::decode
