// Reads what a contraction kernel computes from its ops.
#include "ir/kernel/ContractionForm.h"

#include "ir/kernel/RowProgram.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

namespace weft::kernel {
namespace {

bool sameSet(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b) {
  return a.size() == b.size() && contains(a, b);
}

/// How much better `value` is on the right side of a product: 2 if it is packed already, 1 if it is
/// a parameter, which is packed once and not in every call, else 0.
unsigned prefersRight(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto fused = dyn_cast_or_null<FusedOp>(argument.getOwner()->getParentOp());
    if (!fused)
      return 0;
    unsigned number = argument.getArgNumber();
    if (fused.getLayouts() && isa<PanelsAttr>(readAs(fused, number)))
      return 2;
    return prefersRight(fused.getInputs()[number]);
  }
  Operation *op = value.getDefiningOp();
  if (auto fused = dyn_cast<FusedOp>(op))
    return fused.getFamily() == Family::pack ? 2 : 0;
  return op->hasTrait<View>() ? prefersRight(op->getOperand(0)) : isa<ParamOp>(op);
}

/// Whether `op` is computed for each element of a tile by itself.
bool isOfElements(Operation *op) {
  return isElementwise(op) || op->hasTrait<Free>() || isa<RandomOp>(op);
}

class Reader {
public:
  Reader(ArrayRef<Operation *> ops, ValueRange results, std::string *why)
      : ops(ops.begin(), ops.end()), results(results), why(why) {}

  FailureOr<ContractionForm> read() {
    for (Operation *op : ops)
      if (!isa<ContractOp, YieldOp>(op) && !isOfElements(op))
        return refuse(op->getName().stripDialect() + " needs more than a tile of a product");
    if (failed(readTerms()))
      return failure();
    for (Operation *op : ops)
      addSum(op);
    if (failed(groupResults()))
      return failure();
    return form;
  }

private:
  LogicalResult refuse(const Twine &reason) {
    if (why)
      *why = reason.str();
    return failure();
  }

  LogicalResult readTerms() {
    SmallVector<ContractOp> contracts;
    for (Operation *op : ops)
      if (auto contract = dyn_cast<ContractOp>(op))
        contracts.push_back(contract);
    if (contracts.empty())
      return refuse("there is no product");
    for (ContractOp contract : contracts)
      for (Value factor : contract->getOperands())
        if (Operation *def = factor.getDefiningOp(); def && ops.contains(def))
          return refuse("a factor of a product is computed beside it");
    // Which side gives the rows is free, as long as all products agree.
    bool swapped = isBetterSwapped(contracts.front());
    for (bool first : {swapped, !swapped})
      if (orient(contracts, first))
        return success();
    return refuse("its products have different rows");
  }

  static bool isBetterSwapped(ContractOp op) {
    return prefersRight(op.getLhs()) > prefersRight(op.getRhs());
  }

  static Term termOf(ContractOp op, bool swapped) {
    Term term{op, swapped, {}};
    term.k = both(dimsOf(term.left()), op.getOver());
    return term;
  }

  bool orient(ArrayRef<ContractOp> contracts, bool firstSwapped) {
    terms.clear();
    for (ContractOp contract : contracts) {
      bool swapped = terms.empty() ? firstSwapped : isBetterSwapped(contract);
      if (!take(termOf(contract, swapped)) && (terms.empty() || !take(termOf(contract, !swapped))))
        return false;
    }
    return true;
  }

  bool take(Term term) {
    DimList kept = without(dimsOf(term.left()), term.k);
    DimList batch = both(kept, dimsOf(term.right())), rows = without(kept, batch);
    if (terms.empty()) {
      form.batch = batch;
      form.rows = rows;
    }
    if (!sameSet(batch, form.batch) || !sameSet(rows, form.rows))
      return false;
    terms.insert({term.op->getResult(0), std::move(term)});
    return true;
  }

  void addSum(Operation *op) {
    if (auto contract = dyn_cast<ContractOp>(op)) {
      Value value = contract.getResult();
      sums.insert({value, {value, {terms.find(value)->second}}});
    }
    // contract + contract  ==>  one sum that runs over both
    auto add = dyn_cast<AddOp>(op);
    if (!add)
      return;
    Value a = bare(add.getLhs()), b = bare(add.getRhs());
    auto one = sums.find(a), other = sums.find(b);
    if (a == b || one == sums.end() || other == sums.end() || !usedOnce(add.getLhs()) ||
        !usedOnce(add.getRhs()) || !sameSet(columnsOf(one->second), columnsOf(other->second)))
      return;
    Sum joined{add.getResult(), one->second.terms};
    llvm::append_range(joined.terms, other->second.terms);
    sums.erase(a);
    sums.erase(b);
    sums.insert({add.getResult(), std::move(joined)});
  }

  /// Whether `value` has one use, through ops that only reorder or broadcast it.
  static bool usedOnce(Value value) {
    while (value.hasOneUse()) {
      Operation *maker = value.getDefiningOp();
      if (!maker->hasTrait<SameByName>())
        return true;
      value = maker->getOperand(0);
    }
    return false;
  }

  /// In the order in which the product lists them.
  static DimList columnsOf(const Sum &sum) {
    const Term &term = sum.terms.front();
    return without(both(dimsOf(term.op->getResult(0)), dimsOf(term.right())), dimsOf(term.left()));
  }

  /// The sums that `value` depends on.
  llvm::SetVector<Value> madeOf(Value value) {
    llvm::SetVector<Value> seen, result;
    seen.insert(value);
    for (size_t i = 0; i < seen.size(); ++i) {
      Operation *maker = seen[i].getDefiningOp();
      if (sums.contains(seen[i]))
        result.insert(seen[i]);
      else if (maker && ops.contains(maker))
        seen.insert_range(maker->getOperands());
    }
    return result;
  }

  LogicalResult groupResults() {
    llvm::EquivalenceClasses<const void *> together;
    SmallVector<llvm::SetVector<Value>> sources;
    for (auto [number, value] : llvm::enumerate(results)) {
      sources.push_back(madeOf(value));
      if (sources.back().empty())
        return refuse("result " + Twine(number) + " is made of no product");
      for (Value sum : sources.back())
        together.unionSets(sources.back().front().getAsOpaquePointer(), sum.getAsOpaquePointer());
    }
    llvm::MapVector<const void *, Segment> segments;
    for (auto [number, made] : llvm::enumerate(sources))
      segments[together.getLeaderValue(made.front().getAsOpaquePointer())].results.push_back(
          number);
    for (auto &[value, sum] : sums)
      if (auto leader = together.findLeader(value.getAsOpaquePointer());
          leader != together.member_end())
        segments[*leader].sums.push_back(sum);
    for (auto &[leader, segment] : segments) {
      segment.columns = columnsOf(segment.sums.front());
      for (const Sum &sum : segment.sums)
        if (!sameSet(columnsOf(sum), segment.columns))
          return refuse("results that belong together have different columns");
      form.segments.push_back(std::move(segment));
    }
    return checkResults();
  }

  LogicalResult checkResults() {
    for (const Segment &segment : form.segments) {
      DimList all(form.batch);
      llvm::append_range(all, form.rows);
      llvm::append_range(all, segment.columns);
      for (unsigned result : segment.results)
        if (!sameSet(dimsOf(results[result]), all))
          return refuse("result " + Twine(result) + " has other dimensions than the product");
    }
    return success();
  }

  llvm::SetVector<Operation *> ops;
  ValueRange results;
  std::string *why;
  ContractionForm form;
  llvm::MapVector<Value, Term> terms; // of the products, in program order
  llvm::MapVector<Value, Sum> sums;   // in program order
};

} // namespace

FailureOr<ContractionForm> readContraction(ArrayRef<Operation *> ops, ValueRange results,
                                           std::string *why) {
  return Reader(ops, results, why).read();
}

FailureOr<ContractionForm> readContraction(FusedOp op, std::string *why) {
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBody().front().without_terminator())
    ops.push_back(&inner);
  return readContraction(ops, op.getBody().front().getTerminator()->getOperands(), why);
}

Factors factorsOf(FusedOp op, const ContractionForm &form) {
  bool tf32 = true, narrow = true;
  for (const Segment &segment : form.segments)
    for (const Sum &sum : segment.sums)
      for (const Term &term : sum.terms) {
        tf32 &= cast<ContractOp>(term.op).getTf32();
        for (Value side : {term.left(), term.right()}) {
          Attribute layout = op.getLayoutsAttr()[cast<BlockArgument>(side).getArgNumber()];
          narrow &= isa<LayoutAttr>(layout) && storageIn(layout);
        }
      }
  return narrow ? Factors::bf16 : tf32 ? Factors::tf32 : Factors::float32;
}

/// As they lie in the layout of this operand or result.
static void order(DimList &dims, FusedOp op, unsigned number) {
  auto layout = cast<LayoutAttr>(op.getLayoutsAttr()[number]);
  llvm::stable_sort(dims, [&](DimAttr x, DimAttr y) {
    ArrayRef<DimAttr> all = layout.getDims();
    return llvm::find(all, x) < llvm::find(all, y);
  });
}

FailureOr<ContractionForm> contractionInOrder(FusedOp op) {
  std::string why;
  FailureOr<ContractionForm> form = readContraction(op, &why);
  if (failed(form))
    return op.emitOpError("cannot be built as a contraction: ") << why;
  if (failed(checkStrided(op)))
    return failure();
  if (packsWithin(op))
    return op.emitOpError("has `packs`, which are for kernels of a CPU");
  for (Segment &segment : form->segments) {
    unsigned result = op.getNumOperands() + segment.results[0];
    order(segment.columns, op, result);
    if (&segment == form->segments.begin()) {
      order(form->batch, op, result);
      order(form->rows, op, result);
    }
    for (Sum &sum : segment.sums)
      for (Term &term : sum.terms)
        order(term.k, op, cast<BlockArgument>(term.right()).getArgNumber());
  }
  return form;
}

} // namespace weft::kernel
