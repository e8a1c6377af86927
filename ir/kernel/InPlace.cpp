// Which result of a kernel may be written in place of an operand, family by family.
#include "ir/kernel/InPlace.h"

#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/model/Dims.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

namespace {

/// Whether equal positions have equal addresses, and elements are stored as the same type there: C
/// takes pointers to two types as pointing to two places.
bool isLaidOutAs(kernel::FusedOp op, unsigned result, unsigned operand) {
  if (!op.getLayouts())
    return false;
  Value input = op.getOperand(operand), output = op.getResult(result);
  ArrayRef<Attribute> layouts = op.getLayoutsAttr().getValue();
  auto read = dyn_cast<kernel::LayoutAttr>(layouts[operand]);
  auto written = dyn_cast<kernel::LayoutAttr>(layouts[op.getNumOperands() + result]);
  if (!read || !written || storageOf(typeOf(input), read) != storageOf(typeOf(output), written) ||
      typeOf(input).getDims().size() != typeOf(output).getDims().size())
    return false;
  return llvm::all_of(typeOf(output).getDims(), [&](DimAttr dim) {
    std::optional<Size> stride = written.stride(dim);
    return typeOf(input).has(dim) && stride && read.stride(dim) == stride;
  });
}

/// Whether `results` depend on `value` by other ways than through the `given` values.
bool dependOn(kernel::FusedOp op, ArrayRef<unsigned> results, Value value,
              const llvm::DenseSet<Value> &given) {
  llvm::SetVector<Value> needed;
  Operation *yield = op.getBody().front().getTerminator();
  for (unsigned result : results)
    needed.insert(yield->getOperand(result));
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *maker = needed[i].getDefiningOp(); maker && !given.contains(needed[i]))
      needed.insert_range(maker->getOperands());
  return needed.contains(value);
}

bool mayInContraction(kernel::FusedOp op, unsigned result, Value inside) {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(op);
  if (failed(form) || llvm::any_of(inside.getUsers(), llvm::IsaPred<ContractOp>))
    return false;
  return llvm::all_of(form->segments, [&](const kernel::Segment &segment) {
    llvm::DenseSet<Value> sums;
    for (const kernel::Sum &sum : segment.sums)
      sums.insert(sum.value);
    return llvm::is_contained(segment.results, result) ||
           !dependOn(op, segment.results, inside, sums);
  });
}

bool isEveryPositionOnce(kernel::FusedOp op) {
  return llvm::all_of(op.getBody().front(), [](Operation &inner) {
    return inner.hasTrait<OpTrait::Elementwise>() || inner.hasTrait<Free>() ||
           isa<ArrangeOp, kernel::YieldOp>(inner);
  });
}

/// The reductions that read `value` at the positions of their own loops, through ops that keep
/// positions; nothing if something reads it elsewhere.
std::optional<llvm::DenseSet<Operation *>> reductionsOf(Value value) {
  llvm::DenseSet<Operation *> reductions;
  llvm::SetVector<Value> same;
  same.insert(value);
  for (size_t i = 0; i < same.size(); ++i)
    for (Operation *user : same[i].getUsers()) {
      if (kernel::isReduction(user))
        reductions.insert(user);
      else if (kernel::isElementwise(user))
        same.insert_range(user->getResults());
      else if (!isa<kernel::YieldOp>(user))
        return std::nullopt;
    }
  return reductions;
}

/// Whether a row's stages leave a row of the operand as it is until they store over it, position by
/// position. All stores are in the last pass; what has all loops of the row is stored by one stage.
bool mayInReducedRows(kernel::FusedOp op, unsigned operand) {
  auto table = kernel::DimTable::of(op->getParentOfType<ModuleOp>());
  FailureOr<kernel::ExpandedRows> rows = kernel::expandRows(op, table);
  if (failed(rows) || rows->program.lanes.empty())
    return false;
  const kernel::RowProgram &program = rows->program;
  Value inside = rows->op->getBody().getArgument(operand);
  if (!llvm::all_of(program.loops, [&](DimAttr dim) { return typeOf(inside).has(dim); }))
    return false; // read again at each position of what it lacks
  std::optional<llvm::DenseSet<Operation *>> reductions = reductionsOf(inside);
  if (!reductions)
    return false;
  // Where threads share a row, a sum over its lanes has each of them wait for all: what the sum
  // reads has then been read. A sum that keeps the lanes does not.
  auto reads = [&](ArrayRef<Operation *> ops) {
    return llvm::any_of(ops, [&](Operation *each) { return reductions->contains(each); });
  };
  return program.lanesOuter || llvm::none_of(program.stages, [&](const kernel::RowStage &stage) {
           return reads(stage.spread) || (stage.lanesKept && reads(stage.reductions));
         });
}

bool mayInRows(kernel::FusedOp op, unsigned operand) {
  Value inside = op.getBody().getArgument(operand);
  bool hasAll = llvm::all_of(op.getResultTypes(), [&](Type type) {
    return llvm::all_of(cast<NamedTensorType>(type).getDims(),
                        [&](DimAttr dim) { return typeOf(inside).has(dim); });
  });
  if (!hasAll || isEveryPositionOnce(op))
    return hasAll;
  if (kernel::isScan(op))
    return false; // goes along a dimension, and reads what lies behind
  return mayInReducedRows(op, operand);
}

/// Whether the operand is what rows are added to, and nothing else.
bool mayInScatter(kernel::FusedOp op, unsigned operand) {
  FailureOr<kernel::ScatterForm> form = kernel::readScatter(op);
  return succeeded(form) && form->onto() == operand &&
         op.getBody().getArgument(operand).hasOneUse();
}

} // namespace

bool kernel::mayWriteInPlace(FusedOp op, unsigned result, unsigned operand) {
  Value inside = op.getBody().getArgument(operand);
  if (!isLaidOutAs(op, result, operand))
    return false;
  switch (op.getFamily()) {
  case Family::contraction:
    return mayInContraction(op, result, inside);
  case Family::rows:
    return mayInRows(op, operand);
  case Family::scatter:
    return mayInScatter(op, operand);
  default:
    return false;
  }
}
