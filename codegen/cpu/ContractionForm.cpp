// Reads what a contraction kernel computes from its region.
#include "codegen/cpu/ContractionForm.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace weft::cpu {

mlir::Value plainSource(mlir::Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!isa<model::ArrangeOp, model::BroadcastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {

bool sameSet(ArrayRef<mlir::StringAttr> a, ArrayRef<mlir::StringAttr> b) {
  return a.size() == b.size() &&
         all_of(a, [&](mlir::StringAttr dim) { return is_contained(b, dim); });
}

class Reader {
public:
  explicit Reader(kernel::FusedOp op) : op(op) {}

  FailureOr<ContractionForm> read() {
    for (mlir::Operation &inner : op.getBody().front())
      if (failed(note(inner)))
        return failure();
    if (failed(groupResults()))
      return failure();
    return form;
  }

private:
  mlir::InFlightDiagnostic refuse() { return op.emitOpError("cannot be built as a contraction: "); }

  mlir::Attribute layout(unsigned operand) { return op.getLayoutsAttr()[operand]; }

  LogicalResult note(mlir::Operation &inner) {
    if (auto contract = dyn_cast<model::ContractOp>(inner)) {
      FailureOr<Term> term = readTerm(contract);
      if (failed(term))
        return failure();
      sums.insert({contract.getResult(), {contract.getResult(), {*term}}});
      return success();
    }
    // contract + contract  ==>  one sum that runs over both
    if (auto add = dyn_cast<model::AddOp>(inner)) {
      mlir::Value a = plainSource(add.getLhs()), b = plainSource(add.getRhs());
      auto one = sums.find(a), other = sums.find(b);
      if (a != b && one != sums.end() && other != sums.end() && usedOnce(add.getLhs()) &&
          usedOnce(add.getRhs()) && columns(one->second) == columns(other->second)) {
        Sum both{add.getResult(), one->second.terms};
        append_range(both.terms, other->second.terms);
        sums.erase(a);
        sums.erase(b);
        sums.insert({add.getResult(), std::move(both)});
      }
    }
    return success();
  }

  /// Nothing else reads `value`, nor what it lists otherwise.
  bool usedOnce(mlir::Value value) {
    while (value.hasOneUse()) {
      mlir::Operation *maker = value.getDefiningOp();
      if (!isa<model::ArrangeOp, model::BroadcastOp>(maker))
        return true;
      value = maker->getOperand(0);
    }
    return false;
  }

  ArrayRef<mlir::StringAttr> columns(const Sum &sum) {
    return cast<kernel::PanelsAttr>(layout(sum.terms.front().right)).getColumns();
  }

  FailureOr<Term> readTerm(model::ContractOp contract) {
    auto left = dyn_cast<mlir::BlockArgument>(plainSource(contract.getLhs()));
    auto right = dyn_cast<mlir::BlockArgument>(plainSource(contract.getRhs()));
    if (!left || !right)
      return refuse() << "a factor of a product is computed inside the kernel";
    if (isa<kernel::PanelsAttr>(layout(left.getArgNumber())))
      std::swap(left, right);
    auto panels = dyn_cast<kernel::PanelsAttr>(layout(right.getArgNumber()));
    if (!panels || !isa<kernel::LayoutAttr>(layout(left.getArgNumber())))
      return refuse() << "of the factors of a product one is strided and one in panels";
    if (panels.getWidth() != 16)
      return refuse() << "panels are 16 wide, not " << panels.getWidth();

    Term term{left.getArgNumber(), right.getArgNumber(), Dims(panels.getRows())};
    Dims over;
    for (mlir::Attribute dim : contract.getOver())
      over.push_back(cast<mlir::StringAttr>(dim));
    if (!sameSet(over, term.k))
      return refuse() << "the rows of the panels are not what the product is summed over";
    Dims rows;
    for (mlir::StringAttr dim : cast<kernel::LayoutAttr>(layout(term.left)).getDims())
      if (!is_contained(over, dim) && !is_contained(panels.getBatch(), dim))
        rows.push_back(dim);
    if (!found) {
      form.rows = rows;
      form.batch = Dims(panels.getBatch());
      found = true;
    }
    if (!sameSet(rows, form.rows) || ArrayRef(form.batch) != panels.getBatch())
      return refuse() << "its products have different rows";
    return term;
  }

  /// The sums that `value` is made of.
  SetVector<mlir::Value> madeOf(mlir::Value value) {
    SetVector<mlir::Value> seen, result;
    seen.insert(value);
    for (size_t i = 0; i < seen.size(); ++i) {
      if (sums.contains(seen[i]))
        result.insert(seen[i]);
      else if (mlir::Operation *maker = seen[i].getDefiningOp())
        seen.insert_range(maker->getOperands());
    }
    return result;
  }

  LogicalResult groupResults() {
    EquivalenceClasses<const void *> together;
    SmallVector<SetVector<mlir::Value>> sources;
    for (auto [number, value] : enumerate(op.getBody().front().getTerminator()->getOperands())) {
      sources.push_back(madeOf(value));
      if (sources.back().empty())
        return refuse() << "result " << number << " is made of no product";
      for (mlir::Value sum : sources.back())
        together.unionSets(sources.back().front().getAsOpaquePointer(), sum.getAsOpaquePointer());
    }
    MapVector<const void *, Segment> segments;
    for (auto [number, sums] : enumerate(sources))
      segments[together.getLeaderValue(sums.front().getAsOpaquePointer())].results.push_back(
          number);
    for (auto &[value, sum] : sums)
      if (auto leader = together.findLeader(value.getAsOpaquePointer());
          leader != together.member_end())
        segments[*leader].sums.push_back(sum);
    for (auto &[leader, segment] : segments) {
      segment.columns = Dims(columns(segment.sums.front()));
      for (const Sum &sum : segment.sums)
        if (columns(sum) != ArrayRef(segment.columns))
          return refuse() << "results that belong together have different columns";
      form.segments.push_back(std::move(segment));
    }
    return checkResults();
  }

  LogicalResult checkResults() {
    for (const Segment &segment : form.segments) {
      Dims all(form.batch);
      append_range(all, form.rows);
      append_range(all, segment.columns);
      for (unsigned result : segment.results)
        if (!sameSet(cast<model::NamedTensorType>(op.getResult(result).getType()).getDims(), all))
          return refuse() << "result " << result << " has other dimensions than the product";
    }
    return success();
  }

  kernel::FusedOp op;
  ContractionForm form;
  bool found = false;
  MapVector<mlir::Value, Sum> sums; // in program order
};

} // namespace

FailureOr<ContractionForm> readContraction(kernel::FusedOp op) {
  return Reader(op).read();
}

} // namespace weft::cpu
