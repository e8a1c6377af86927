// The loops of an op over rows.
#include "passes/fused/RowShape.h"

#include "passes/fused/Outline.h"

using namespace mlir;
using namespace weft;

/// What a reduction-like op reduces; empty for others.
static DimSet reducedBy(Operation *op) {
  DimSet dims;
  for (StringRef name : {"over", "dim"}) {
    Attribute attr = op->getAttr(name);
    if (auto list = dyn_cast_or_null<ArrayAttr>(attr))
      for (auto dim : list.getAsRange<StringAttr>())
        dims.insert(dim);
    else if (auto dim = dyn_cast_or_null<StringAttr>(attr))
      dims.insert(dim);
  }
  return dims;
}

static bool isReduction(Operation *op) {
  return isa<model::SumOp, model::ReduceMaxOp, model::ReduceMinOp, model::ArgMaxOp,
             model::SoftmaxOp, model::SoftmaxGradOp, model::LogSumExpOp, model::NormalizeOp,
             model::NormalizeGradOp>(op);
}

bool weft::isRowOp(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || isReduction(op) ||
         isa<model::GatherOp, model::ArrangeOp, model::RandomOp, model::StackOp>(op);
}

/// The loops an op needs: the dimensions of its result, and what it reduces. A table that is looked
/// up adds none.
static DimSet spaceOf(Operation *op) {
  DimSet space = dimsOf(op->getResult(0));
  if (isReduction(op))
    for (StringAttr dim : reducedBy(op))
      space.insert(dim);
  return space;
}

/// Whether the innermost dimension in memory is reduced, so that a row is reduced by vectors along
/// it.
static bool reducesRows(Operation *op) {
  auto dims = model::typeOf(op->getOperand(0)).getDims();
  return !dims.empty() && reducedBy(op).contains(dims.back());
}

RowShape weft::shapeOf(Operation *op) {
  RowShape shape;
  shape.space = spaceOf(op);
  if (isReduction(op)) {
    shape.reduced = reducedBy(op);
    (reducesRows(op) ? shape.rows : shape.columns) = true;
  }
  return shape;
}

RowKind weft::kindOf(ArrayRef<Operation *> ops, llvm::function_ref<bool(Operation *)> isTable) {
  bool table = true, number = true;
  for (Operation *op : ops) {
    if (isa<model::RandomOp>(op))
      return RowKind::rows;
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      table &= def && (isFree(def) || llvm::is_contained(ops, def) || isTable(def));
      number &= dimsOf(operand).empty();
    }
    for (Value result : op->getResults())
      number &= dimsOf(result).empty();
  }
  return table ? RowKind::table : number ? RowKind::number : RowKind::rows;
}

bool weft::sameDims(const DimSet &a, const DimSet &b) {
  return a.size() == b.size() && contains(a, b);
}
