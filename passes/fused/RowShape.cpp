// The loops of an op over rows.
#include "passes/fused/RowShape.h"

#include "passes/fused/Outline.h"

using namespace mlir;
using namespace weft;

/// What an op reduces; nothing if it does not.
static DimSet reducedBy(Operation *op) {
  DimSet dims;
  if (auto reducing = dyn_cast<model::Reducing>(op))
    dims.insert_range(reducing.reduced());
  return dims;
}

bool weft::isRowOp(Operation *op) {
  // Joins and insertions have another space for each operand.
  bool moves = isa<model::Moving>(op) && !isa<model::ConcatOp, model::InsertPartOp>(op);
  return op->hasTrait<OpTrait::Elementwise>() || isa<model::Reducing>(op) || moves ||
         isa<model::RandomOp>(op);
}

/// The loops an op needs: the dimensions of its result, and what it reduces. The input of a gather
/// adds none.
static DimSet spaceOf(Operation *op) {
  DimSet space = dimsOf(op->getResult(0));
  for (model::DimAttr dim : reducedBy(op))
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
  if (isa<model::Reducing>(op)) {
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
