// Transfer functions of ops that move elements.
#include "passes/model/decode/Causality.h"

#include "ir/model/infer/Align.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

static constexpr double infinity = std::numeric_limits<double>::infinity();

Fact Causality::movement(Operation &op) {
  Value result = op.getResult(0);
  if (auto each = dyn_cast<RegroupOp>(op))
    return regroup(each);
  if (auto each = dyn_cast<PartOp>(op))
    return part(each);
  if (auto each = dyn_cast<PickOp>(op))
    return pick(each);
  if (auto each = dyn_cast<GatherOp>(op))
    return gather(each);
  if (op.hasTrait<SameByName>())
    return operand(op, 0);
  auto stack = dyn_cast<StackOp>(op);
  auto concat = dyn_cast<ConcatOp>(op);
  bool alongTime = concat && (grows(concat.getDimAttr()) || anyGrows(concat.getParts()));
  if ((stack || concat) && !alongTime) {
    Fact fact = opaque(result, reachOf(op));
    for (const auto &[constant, unused] : operand(op, 0).differs) {
      Formula anyOf = Formula::nothing();
      for (Value input : op.getOperands())
        anyOf = anyOf | without(of(input), concat ? concat.getParts() : ArrayRef<DimAttr>())
                            .differsFrom(constant);
      if (!anyOf.isAnything())
        fact.differs.emplace(constant, anyOf);
    }
    return fact;
  }
  // Scatters, insertions and joins along the sequence: positions do not keep their places.
  if (reachOf(op).empty() && !anyGrows(dimsOf(result)))
    return opaque(result, {});
  return unbounded(op,
                   "`" + op.getName().stripDialect().str() + "` moves positions to other places");
}

/// The same fact with `from` renamed to `to`. Its opaque unknowns become new ones: the element at
/// another position is another value.
Fact Causality::renamed(const Fact &fact, DimAttr from, DimAttr to) {
  std::map<Unknown, Unknown> numbers;
  auto name = [&](const Unknown &unknown) {
    if (unknown.isOpaque())
      return numbers.try_emplace(unknown, fresh()).first->second;
    return unknown.dim == from ? Unknown::index(to) : unknown;
  };
  Fact result = fact;
  result.reach.clear();
  for (auto [dim, shift] : fact.reach)
    result.reach[dim == from ? to : dim] = shift;
  for (auto &[constant, where] : result.differs)
    where = where.renamed(name);
  if (result.whole)
    result.whole = Whole{decode::renamed(fact.whole->form, name), fact.whole->where.renamed(name)};
  if (result.truth)
    result.truth = Truth{fact.truth->yes.renamed(name), fact.truth->no.renamed(name)};
  return result;
}

Fact Causality::regroup(RegroupOp op) {
  ArrayRef<DimAttr> from = op.getFrom(), to = op.getTo();
  if (from.size() == 1 && to.size() == 1 && grows(from[0]) == grows(to[0]))
    return renamed(operand(*op, 0), from[0], to[0]);
  if (anyGrows(from) || anyGrows(to))
    return unbounded(*op, quoted(time) + " is split or merged: positions no longer line up");
  Fact fact = without(operand(*op, 0), from);
  Fact rest = opaque(op.getResult(), fact.reach);
  rest.differs = fact.differs;
  return rest;
}

Fact Causality::part(PartOp op) {
  DimAttr dim = op.getDimAttr(), part = op.getPartAttr();
  std::optional<int64_t> offset = dims.resolve(op.getOffset().getValue()).constant();
  const Fact &x = operand(*op, 0);
  if (grows(dim) && grows(part))
    return offset == 0
               ? renamed(x, dim, part)
               : unbounded(*op, "the part " + quoted(part) + " moves positions to other places");
  Fact fact = opaque(op.getResult(), x.reach);
  fact.differs = without(x, {dim}).differs;
  if (!grows(dim))
    return fact;
  // A part of fixed size: absolute positions.
  std::optional<int64_t> size = dims.fixed(part);
  if (!size || !offset)
    return unbounded(*op, "which positions " + quoted(part) + " holds is not known");
  auto [rest, ahead] = splitOff(x.reach, dim);
  fact.reach = join(std::move(rest), {{DimAttr(), *offset + *size - 1 + ahead}});
  return fact;
}

Fact Causality::pick(PickOp op) {
  DimAttr dim = op.getDimAttr();
  const Fact &x = operand(*op, 0);
  Fact fact = opaque(op.getResult(), x.reach);
  fact.differs = without(x, {dim}).differs;
  if (!grows(dim))
    return fact;
  auto [rest, ahead] = splitOff(x.reach, dim);
  fact.reach = join(std::move(rest), {{DimAttr(), int64_t(op.getPosition()) + ahead}});
  return fact;
}

// x[dim = e]: which element is read is a position, or a bound on one.
Fact Causality::gather(GatherOp op) {
  DimAttr dim = op.getDimAttr();
  const Fact &x = operand(*op, 0), &index = operand(*op, 1);
  Fact fact = opaque(op.getResult(), reachOf(*op));
  fact.differs = without(x, {dim}).differs;
  if (!grows(dim))
    return fact;
  auto [rest, ahead] = splitOff(x.reach, dim);
  rest = join(std::move(rest), index.reach);
  fact.differs.clear(); // formulas over the old positions
  const Whole e = index.whole.value_or(Whole{Linear::of(fresh())});
  DimAttr best;
  double shift = infinity;
  for (DimAttr other : dimsOf(op.getIndex())) {
    auto distance =
        grows(other) ? sum(e.form, Linear::of(Unknown::index(other)), -1) : std::nullopt;
    if (double found = distance ? largest(e.where, *distance) : infinity; found < shift) {
      shift = found;
      best = other;
    }
  }
  if (!best)
    shift = largest(e.where, e.form);
  if (shift == infinity)
    return unbounded(*op, "which position of " + quoted(dim) +
                              " is read is not known to be this one or an earlier one");
  if (shift > -infinity)
    rest = join(std::move(rest), {{best, int64_t(shift) + ahead}});
  fact.reach = std::move(rest);
  return fact;
}

} // namespace weft::decode
