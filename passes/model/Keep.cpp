// What a pass of a loop keeps for its backward pass, and what that recomputes (rematerialization).
#include "passes/model/Keep.h"

#include "ir/model/infer/Align.h"
#include "passes/model/MinCut.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

/// Whether a state or parameter is assigned in the function around `op`: reading it later would
/// give the new value.
static bool isAssigned(ParamOp op) {
  bool assigned = false;
  op->getParentOfType<func::FuncOp>().walk(
      [&](AssignOp assign) { assigned |= assign.getNameAttr() == op.getNameAttr(); });
  return assigned;
}

/// Ops that cost little beside the memory that keeping their result would take.
static bool isCheap(Operation *op) {
  if (auto param = dyn_cast<ParamOp>(op))
    return !isAssigned(param);
  return op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<Free>() || isa<Moving>(op) ||
         isa<RandomOp, NormalizeOp>(op);
}

/// Bytes, if every dimension that comes with the data had 512 positions: only the proportions
/// matter.
static double bytesOf(Value value, const Dims &dims) {
  NamedTensorType type = typeOf(value);
  auto bytes =
      dims.bytes(type).evaluate([](const std::string &) -> std::optional<int64_t> { return 512; });
  return bytes ? double(*bytes) : 4e12;
}

/// Whether a pass may compute `op` again: not a loop, and nothing that writes.
static bool mayRepeat(Operation *op) {
  return !isa<ParamOp>(op) && op->getNumRegions() == 0 && isPure(op);
}

double weft::operationsOf(Operation *op, const Dims &dims) {
  llvm::SetVector<DimAttr> all; // of a product: the rows, the columns and what is summed
  for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (auto type = dyn_cast<NamedTensorType>(value.getType()))
        all.insert_range(type.getDims());
  auto count =
      dims.size(all.getArrayRef()).evaluate([](const std::string &) -> std::optional<int64_t> {
        return 512;
      });
  return (isa<AttentionOp>(op) ? 4 : 2) * (count ? double(*count) : 4e12);
}

SmallVector<Value> weft::chooseKept(Block &pass, ArrayRef<Value> needed, const Dims &dims,
                                    KeepPrice price) {
  auto repeat = cast<RepeatOp>(pass.getParentOp());
  MinCut cut;
  SmallVector<Value> order;
  DenseMap<Value, unsigned>
      number; // the node of having a value; the next node is that of recomputing it
  // Slices are in memory anyway.
  auto isFree = [&](Value value) {
    return !isOf(value, pass) || llvm::is_contained(repeat.getPassSlices(), value);
  };
  // Of an op that costs something: the node of computing it again, all of its results at once.
  DenseMap<Operation *, unsigned> costs;
  auto isPriced = [&](Operation *op) {
    return op && !isCheap(op) && price.computesAgain() && mayRepeat(op);
  };
  SmallVector<Value> open(needed);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (isFree(value) || number.contains(value))
      continue;
    number[value] = cut.node();
    order.push_back(value);
    unsigned again = cut.node();
    Operation *op = value.getDefiningOp();
    // A view is kept as what it is a view of, where that has the same size.
    cut.edge(number[value], again, bytesOf(value, dims) * (op && op->hasTrait<View>() ? 1.001 : 1));
    if (isPriced(op)) {
      auto [cost, isNew] = costs.try_emplace(op, 0);
      if (isNew) {
        cost->second = cut.node();
        cut.edge(cost->second, MinCut::sink, price.bytesPerOperation * operationsOf(op, dims));
      }
      cut.edge(again, cost->second, MinCut::unlimited);
      llvm::append_range(open, op->getOperands());
    } else if (!op || !isCheap(op)) {
      cut.edge(again, MinCut::sink, MinCut::unlimited);
    } else {
      llvm::append_range(open, op->getOperands());
    }
  }
  for (Value value : order) {
    if (llvm::is_contained(needed, value))
      cut.edge(MinCut::source, number[value], MinCut::unlimited);
    if (Operation *op = value.getDefiningOp(); op && (isCheap(op) || isPriced(op)))
      for (Value operand : op->getOperands())
        if (!isFree(operand))
          cut.edge(number[value] + 1, number[operand], MinCut::unlimited);
  }
  std::vector<bool> wanted = cut.solve();
  SmallVector<Value> kept;
  for (Value value : order)
    if (wanted[number[value]] && !wanted[number[value] + 1])
      kept.push_back(value);
  // In program order, so that the result does not depend on how the search went.
  llvm::sort(kept, [](Value a, Value b) {
    Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
    if (!x || !y)
      return !x &&
             (y || cast<BlockArgument>(a).getArgNumber() < cast<BlockArgument>(b).getArgNumber());
    return x == y ? cast<OpResult>(a).getResultNumber() < cast<OpResult>(b).getResultNumber()
                  : x->isBeforeInBlock(y);
  });
  return kept;
}

Value Recall::get(Value value, Operation *before) {
  if (!isOf(value, pass))
    return value;
  if (Value found = known.lookupOrNull(value))
    return found;
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand, before));
  Operation *clone = op->clone();
  clone->setOperands(operands);
  before->getBlock()->getOperations().insert(before->getIterator(), clone);
  if (!isCheap(op))
    again.push_back(op);
  for (auto [result, copy] : llvm::zip(op->getResults(), clone->getResults()))
    known.map(result, copy);
  return known.lookup(value);
}
