// Which versions are needed is propagated backwards, from the results to what they are computed
// from.
#include "passes/model/decode/Demand.h"

#include "ir/model/infer/Align.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

bool isAll(const Version &version) {
  return !version.empty() && llvm::all_of(version, [](Rows rows) { return rows == Rows::all; });
}

Demand::Demand(func::FuncOp function, const Causality &causality, const Dims &dims)
    : function(function), causality(causality), dims(dims), once(function, causality) {}

const std::set<Version> &Demand::versions(Value value) const {
  static const std::set<Version> none;
  auto found = needed.find(value);
  return found == needed.end() ? none : found->second;
}

DimList Demand::growing(Value value) const {
  DimList result;
  for (DimAttr dim : dimsOf(value))
    if (causality.grows(dim))
      result.push_back(dim);
  return result;
}

/// The dimension along which an op has to see all positions, and gives all.
DimAttr Demand::runsAlong(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto each = dyn_cast_or_null<SoftmaxOp>(op); each && causality.grows(each.getOverAttr()))
    return each.getOverAttr();
  if (auto each = dyn_cast_or_null<CumSumOp>(op);
      each && causality.grows(each.getDimAttr()) && !isRunningSum(value))
    return each.getDimAttr();
  return {};
}

bool Demand::isRunningSum(Value value) const {
  auto sum = value.getDefiningOp<CumSumOp>();
  return sum && causality.grows(sum.getDimAttr()) && growing(value).size() == 1 && !isTable(value);
}

void Demand::forEachValue(llvm::function_ref<void(Value)> visit) const {
  func::FuncOp whole = function;
  whole.walk<WalkOrder::PreOrder>([&](Block *block) {
    llvm::for_each(block->getArguments(), visit);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), visit);
  });
}

Version Demand::computed(Value value, const Version &version) const {
  Version result = version;
  if (DimAttr dim = runsAlong(value)) {
    for (auto [each, rows] : llvm::zip(growing(value), result))
      if (each == dim)
        rows = Rows::all;
  }
  // Arguments and what loops carry have all rows of the call, and so has a value of which these are
  // needed anyway: the last row is a part of them.
  Version fresh = result;
  std::replace(fresh.begin(), fresh.end(), Rows::last, Rows::fresh);
  bool passed = !value.getDefiningOp() || isa<RepeatOp>(value.getDefiningOp());
  return passed || isRunningSum(value) || versions(value).contains(fresh) ? fresh : result;
}

Version Demand::operandVersion(Value result, const Version &version, unsigned number) const {
  Operation *op = result.getDefiningOp();
  Value operand = op->getOperand(number);
  DimList given = growing(result);
  auto rowsOf = [&](DimAttr dim) {
    auto *at = llvm::find(given, dim);
    return at == given.end() ? Rows::all : version[at - given.begin()];
  };
  Version wanted;
  for (DimAttr dim : growing(operand)) {
    Rows rows = rowsOf(dim);
    if (auto each = dyn_cast<RegroupOp>(op); each && each.getFrom() == ArrayRef(dim))
      rows = rowsOf(each.getTo()[0]);
    if (auto each = dyn_cast<PartOp>(op); each && each.getDimAttr() == dim)
      rows = rowsOf(each.getPartAttr());
    if (auto each = dyn_cast<GatherOp>(op); each && number == 0 && each.getDimAttr() == dim)
      rows = Rows::all; // read at other positions
    if (auto each = dyn_cast<AttentionOp>(op); each && each.getKeyAttr() == dim)
      rows = Rows::all;
    wanted.push_back(rows);
  }
  return wanted;
}

void Demand::forEachOperand(Value value, const Version &version, Visit visit) const {
  auto loop = [&](RepeatOp repeat, unsigned carried) {
    visit(repeat.getCarried()[carried], version);
    visit(repeat.getYield().getValues()[carried], version);
    visit(repeat.getPassCarried()[carried], version);
    if (Value result = repeat.getResult(carried); !once.isKept(result)) // else it needs nothing
      visit(result, version);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto repeat = dyn_cast<RepeatOp>(argument.getOwner()->getParentOp());
    if (!repeat)
      return;
    unsigned i = argument.getArgNumber(), carried = repeat.getNumCarried();
    i < carried ? loop(repeat, i) : visit(repeat.getSlices()[i - carried], version);
    return;
  }
  auto result = cast<OpResult>(value);
  if (auto repeat = dyn_cast<RepeatOp>(result.getOwner())) {
    unsigned i = result.getResultNumber();
    i < repeat.getNumCarried() ? loop(repeat, i) : visit(repeat.getYield().getValues()[i], version);
    return;
  }
  for (unsigned i = 0; i < result.getOwner()->getNumOperands(); ++i)
    visit(result.getOwner()->getOperand(i), operandVersion(value, version, i));
}

void Demand::need(Value value, const Version &version) {
  if (needed[value].insert(version).second)
    open.push_back({value, version});
}

/// Fills `needed`. Before the caches are chosen (`cacheEveryRoot`) all that is needed for all
/// positions counts as cached.
void Demand::propagate(const std::vector<Version> &results, bool cacheEveryRoot) {
  needed.clear();
  given.clear();
  for (auto [result, version] : llvm::zip(function.front().getTerminator()->getOperands(), results))
    need(result, version);
  while (!open.empty()) {
    auto [value, version] = open.pop_back_val();
    if (Version whole = computed(value, version); whole != version) {
      need(value, whole);
      continue;
    }
    if (once.isKept(value)) {
      given.insert(value);
      continue;
    }
    if (isAll(version) && !isTable(value) && !runsAlong(value) &&
        (cacheEveryRoot || caches.contains(value))) {
      roots.insert(value);
      need(value, Version(version.size(), Rows::fresh));
      continue;
    }
    forEachOperand(value, version,
                   [&](Value operand, const Version &wanted) { need(operand, wanted); });
  }
}

LogicalResult Demand::require(const std::vector<Version> &results) {
  propagate(results, /*cacheEveryRoot=*/true);
  if (failed(cut()))
    return failure();
  propagate(results, /*cacheEveryRoot=*/false);
  forEachValue([&](Value value) {
    const std::set<Version> &rows = versions(value);
    if (given.contains(value))
      keepers.push_back({value, Keep::once});
    // Only what is still read is kept.
    if (caches.contains(value) && rows.contains(Version(growing(value).size(), Rows::all)))
      keepers.push_back({value, Keep::rows});
    if (isRunningSum(value) && rows.contains(Version{Rows::fresh}))
      keepers.push_back({value, Keep::total});
  });
  return success();
}

void Demand::requireOnce(const Demand &advance) {
  for (const Kept &each : advance.kept())
    if (each.what == Keep::once) {
      keepers.push_back(each);
      need(each.value, {});
    }
  while (!open.empty()) {
    auto [value, version] = open.pop_back_val();
    forEachOperand(value, version,
                   [&](Value operand, const Version &wanted) { need(operand, wanted); });
  }
}

} // namespace weft::decode
