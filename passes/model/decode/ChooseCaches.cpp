// A minimum cut: which of the values that are needed for all positions are cached, and which are
// recomputed.
#include "passes/model/decode/Demand.h"

#include "ir/model/infer/Align.h"
#include "passes/model/MinCut.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

/// The number of elements that a value has for each position of the sequence.
static double elements(Value value, const Dims &dims, ArrayRef<DimAttr> growing) {
  double count = 1;
  for (DimAttr dim : dimsOf(value))
    if (!llvm::is_contained(growing, dim))
      count *= dims.fixed(dim).value_or(1); // the batch is a factor of all values
  return count;
}

static bool isRename(Operation *op) {
  auto regroup = dyn_cast_or_null<RegroupOp>(op);
  return regroup && regroup.getFrom().size() == 1 && regroup.getTo().size() == 1;
}

double Demand::bytes(Value value) const {
  DimList dimensions = growing(value);
  if (dimensions.size() != 1 || runsAlong(value))
    return MinCut::unlimited;
  // A view is kept as what it is a view of, where that has the same size.
  double factor = isRename(value.getDefiningOp()) ? 1.001 : 1;
  return elements(value, dims, dimensions) * elementBytes(typeOf(value)) * factor;
}

/// What recomputing a value costs for one position, in bytes of cache: unlimited for contractions
/// and statistics, and for other ops less than the bytes of their operands.
double Demand::recomputeCost(Value value) const {
  Operation *op = value.getDefiningOp();
  if (isTable(value))
    return 0;
  bool cheap = op && (op->hasTrait<OpTrait::Elementwise>() || runsAlong(value) || isa<Moving>(op));
  if (!cheap)
    return MinCut::unlimited;
  if (isRename(op))
    return 0;
  return elements(value, dims, growing(value)) * (op->hasTrait<View>() ? 1e-6 : 1e-4);
}

LogicalResult Demand::cut() {
  MinCut network;
  llvm::DenseMap<Value, unsigned>
      number; // the node of having a value; the next node is that of recomputing it
  SmallVector<Value> order, todo(roots.begin(), roots.end());
  auto whole = [&](Value value) { return Version(growing(value).size(), Rows::all); };
  auto inputs = [&](Value value, llvm::function_ref<void(Value)> visit) {
    if (recomputeCost(value) == MinCut::unlimited)
      return;
    forEachOperand(value, whole(value), [&](Value operand, const Version &version) {
      if (isAll(version) && !isTable(operand))
        visit(operand);
    });
  };
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    if (number.contains(value))
      continue;
    number[value] = network.node();
    network.node();
    order.push_back(value);
    inputs(value, [&](Value operand) { todo.push_back(operand); });
  }
  for (Value value : order) {
    unsigned have = number[value], recompute = have + 1;
    network.edge(have, recompute, bytes(value));
    network.edge(recompute, MinCut::sink, recomputeCost(value));
    if (roots.contains(value))
      network.edge(MinCut::source, have, MinCut::unlimited);
    inputs(value,
           [&](Value operand) { network.edge(recompute, number[operand], MinCut::unlimited); });
  }
  std::vector<bool> wanted = network.solve();
  if (wanted.empty()) {
    for (Value root : roots)
      if (bytes(root) == MinCut::unlimited && recomputeCost(root) == MinCut::unlimited)
        return emitError(root.getLoc())
               << "decode would have to keep a value for every pair of positions";
    return function.emitError("decode finds no values to keep");
  }
  for (Value value : order)
    if (wanted[number[value]] && !wanted[number[value] + 1])
      caches.insert(value);
  return success();
}

} // namespace weft::decode
