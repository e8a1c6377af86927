// Transfer functions: what is known of the results of an operation, from what is known of its
// operands. The driver, leaves and loops.
#include "passes/model/decode/Causality.h"

#include "ir/model/Arithmetic.h"
#include "ir/model/infer/Align.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

std::string quoted(ArrayRef<DimAttr> dims) {
  std::string text;
  for (DimAttr dim : dims)
    text += (text.empty() ? "" : ", ") + quoted(dim);
  return text;
}

Causality::Causality(func::FuncOp function, const Dims &dims, DimAttr time)
    : function(function), dims(dims), time(time), size(dims.size(time)) {
  for (BlockArgument argument : function.getArguments()) {
    Reach reach;
    for (DimAttr dim : dimsOf(argument))
      if (grows(dim))
        reach[dim] = 0;
    facts[argument] = opaque(argument, reach);
  }
  visit(function.front());
}

bool Causality::anyGrows(ArrayRef<DimAttr> names) const {
  return llvm::any_of(names, [&](DimAttr dim) { return grows(dim); });
}

double Causality::largest(const Formula &where, const Linear &form) const {
  return supremum(where, form, [&](DimAttr dim) { return Extent{grows(dim), dims.fixed(dim)}; });
}

Reach Causality::reachOf(Operation &op) {
  Reach reach;
  for (Value value : op.getOperands())
    reach = join(std::move(reach), of(value).reach);
  return reach;
}

Fact Causality::unbounded(Operation &op, std::string what, std::vector<std::string> notes) const {
  Fact fact;
  fact.unbounded = Culprit{&op, std::move(what), std::move(notes)};
  return fact;
}

Fact Causality::opaque(Value value, Reach reach) {
  Fact fact;
  fact.reach = std::move(reach);
  NamedTensorType type = typeOf(value);
  if (type.isBool())
    fact.truth = Truth();
  else if (!type.isFloat())
    fact.whole = Whole{Linear::of(fresh())};
  return fact;
}

/// A dimension whose positions are not those of the sequence, though their number depends on it.
std::optional<std::string> Causality::brokenDim(Value value) const {
  for (DimAttr dim : dimsOf(value))
    if (!grows(dim) && llvm::is_contained(dims.size(dim).dims(), time.str()))
      return "the positions of " + quoted(dim) + " are not those of " + quoted(time) +
             ": its size is `" + dims.size(dim).str() + "`";
  return std::nullopt;
}

/// A number among the attributes that follows from the number of positions: where a part begins.
std::optional<std::string> Causality::laterSize(Operation &op) const {
  for (NamedAttribute attribute : op.getAttrs())
    if (auto number = dyn_cast<SizeAttr>(attribute.getValue());
        number && llvm::is_contained(dims.resolve(number.getValue()).dims(), time.str())) {
      std::string place = "`" + dims.resolve(number.getValue()).str() + "`";
      auto part = dyn_cast<PartOp>(op);
      return (part ? "the part " + quoted(part.getPartAttr()) + " begins at " + place
                   : "it depends on " + place) +
             ", which is not known to position i: at that time there are no later ones";
    }
  return std::nullopt;
}

void Causality::visit(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(op);
}

static std::string positions(int64_t count) {
  return std::to_string(count) + (count == 1 ? " position" : " positions");
}

void Causality::visit(Operation &op) {
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return visitRepeat(repeat);
  for (Value result : op.getResults()) {
    Fact fact;
    for (Value each : op.getOperands())
      if (of(each).unbounded && !fact.unbounded)
        fact.unbounded = of(each).unbounded;
    if (!fact.unbounded)
      fact = transfer(op, result);
    for (Value each : op.getOperands())
      if (of(each).ahead && !fact.ahead)
        fact.ahead = of(each).ahead;
    // Of a gather, the shift is a bound on the positions that it reads.
    std::string reads = isa<GatherOp>(op) ? "may read " : "reads ";
    for (auto [dim, shift] : fact.reach)
      if (shift > 0 && !fact.ahead)
        fact.ahead = Culprit{&op,
                             dim ? reads + positions(shift) + " ahead"
                                 : reads + "position " + std::to_string(shift) +
                                       ", which the first positions do not know",
                             {}};
    facts[result] = std::move(fact);
  }
}

Fact Causality::transfer(Operation &op, Value result) {
  if (auto broken = brokenDim(result))
    return unbounded(op, *broken);
  if (op.hasTrait<Free>() || isa<ParamOp, RandomOp>(op))
    return leaf(op);
  if (auto later = laterSize(op))
    return unbounded(op, *later);
  if (auto contract = dyn_cast<ContractOp>(op))
    return contraction(contract);
  if (auto each = dyn_cast<SoftmaxOp>(op))
    return softmax(each);
  if (auto each = dyn_cast<AttentionOp>(op))
    return attention(each);
  if ((isa<Reducing>(op) && op.getNumOperands() == 1) || isa<CumSumOp, TopOp>(op))
    return reduction(op);
  if (op.hasTrait<OpTrait::Elementwise>())
    return elementwise(op);
  return movement(op);
}

Fact Causality::leaf(Operation &op) {
  Fact fact;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      if (!number.getValue().isNaN())
        fact.differs.emplace(number.getValueAsDouble(), Formula::nothing());
      return fact;
    }
    auto number = cast<IntegerAttr>(constant.getValue());
    if (typeOf(constant.getResult()).isBool()) {
      bool yes = number.getValue().getBoolValue();
      fact.truth = yes ? Truth{Formula::anything(), Formula::nothing()}
                       : Truth{Formula::nothing(), Formula::anything()};
      return fact;
    }
    int64_t value = wrapped(number.getInt());
    fact.differs.emplace(double(value), Formula::nothing());
    fact.whole = Whole{Linear::number(value)};
    return fact;
  }
  if (auto index = dyn_cast<IndexOp>(op)) {
    fact.whole = Whole{Linear::of(Unknown::index(index.getDimAttr()))};
    return fact;
  }
  if (auto extent = dyn_cast<SizeOp>(op)) {
    Size value = dims.resolve(extent.getSize().getValue());
    if (llvm::is_contained(value.dims(), time.str()))
      return unbounded(op, "the number of positions is not known to position i: at that time there "
                           "are no later ones");
    return opaque(extent.getResult(), {});
  }
  if (isa<RandomOp>(op))
    return unbounded(op, "draws random numbers, which are others in every call");
  return opaque(op.getResult(0), {});
}

void Causality::visitRepeat(RepeatOp op) {
  Block &body = op.getBody().front();
  unsigned carried = op.getNumCarried();
  auto broken = llvm::is_contained(dims.size(op.getDim()).dims(), time.str());
  for (auto [argument, slice] : llvm::zip(op.getPassSlices(), op.getSlices()))
    facts[argument] =
        broken ? unbounded(*op, "a pass for every position of " + quoted(op.getDimAttr()))
               : without(of(slice), {op.getDimAttr()});
  for (auto [argument, init] : llvm::zip(op.getPassCarried(), op.getCarried()))
    facts[argument] =
        broken ? unbounded(*op, "a pass for every position of " + quoted(op.getDimAttr()))
               : without(of(init), {});
  constexpr int rounds = 12;
  for (int round = 0;; ++round) {
    visit(body);
    bool changed = false;
    for (unsigned i = 0; i < carried; ++i) {
      Value argument = body.getArgument(i);
      Fact joined = either(of(argument), of(op.getYield().getValues()[i]));
      if (joined.agrees(of(argument)))
        continue;
      changed = true;
      // Shifts only grow; what still does after so many rounds does so with every pass.
      if (round == rounds && !joined.unbounded)
        joined.unbounded =
            joined.ahead ? *joined.ahead : Culprit{op, "each pass reads further ahead", {}};
      facts[argument] = std::move(joined);
    }
    if (!changed || round > rounds)
      break;
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    const Fact &next = of(op.getYield().getValues()[i]);
    facts[result] = i < carried ? either(of(body.getArgument(i)), next) : without(next, {});
  }
}

std::optional<Culprit> Causality::culprit(unsigned number) const {
  func::FuncOp whole = function;
  Value result = whole.front().getTerminator()->getOperand(number);
  const Fact &fact = of(result);
  if (fact.unbounded)
    return fact.unbounded;
  for (auto [dim, shift] : fact.reach) {
    if (shift > 0 && fact.ahead)
      return fact.ahead;
    if (shift > 0 || (dim && dim != time))
      return Culprit{result.getDefiningOp() ? result.getDefiningOp() : whole.getOperation(),
                     "depends on the positions of " + (dim ? quoted(dim) : quoted(time)),
                     {}};
  }
  return std::nullopt;
}

} // namespace weft::decode
