// Operands of a kernel that are cheaper to recompute than to read.
#include "passes/fused/Recompute.h"
#include "passes/fused/Outline.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace weft;

namespace {
// Ops of an epilogue that recomputing may add: more cost more than reading.
constexpr size_t mostOps = 32;

/// Elementwise ops that compute operands from the tensors `leaves`.
struct Cone {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> leaves;
};

class Recompute {
public:
  Recompute(Groups &groups, int64_t group, const DimSet &space)
      : groups(groups), group(group), space(space) {}

  void run() {
    llvm::SetVector<Value> read;
    Cone cone;
    for (Operation *op : epilogue())
      for (Value operand : op->getOperands())
        if (isOutside(operand) && isLarge(operand) && read.insert(operand))
          follow(operand, cone);
    if (cone.leaves.size() >= read.size() || cone.ops.size() > mostOps)
      return;
    copy(cone);
  }

private:
  /// The members without the products: their factors are read, not computed.
  SmallVector<Operation *> epilogue() const {
    SmallVector<Operation *> ops(groups.members(group).getArrayRef());
    llvm::erase_if(ops, [](Operation *op) { return isa<model::ContractOp>(op); });
    return ops;
  }

  bool isOutside(Value value) const {
    Operation *def = value.getDefiningOp();
    return !def || !groups.members(group).contains(def);
  }
  bool isLarge(Value value) const {
    DimSet dims = dimsOf(value);
    return dims.size() == space.size() && contains(space, dims);
  }

  /// Whether a value depends on no data: positions, sizes, and what is made of them. What was
  /// `seen` is asked once.
  static bool isKnown(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) {
    Operation *op = value.getDefiningOp();
    if (!op || isFree(op) || !seen.insert(op).second)
      return op;
    return op->hasTrait<OpTrait::Elementwise>() &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isKnown(operand, seen); });
  }

  /// Floats of that kind come from a table, which has them in 64 bits, rounded once; an epilogue
  /// would have other ones (`x == max(x)` with a sine of the position in x). So they are read.
  static bool isTable(Operation *op) {
    auto isFloat = [](Value value) { return model::typeOf(value).isFloat(); };
    llvm::SmallPtrSet<Operation *, 8> seen;
    return isKnown(op->getResult(0), seen) &&
           (isFloat(op->getResult(0)) || llvm::any_of(op->getOperands(), isFloat));
  }

  void follow(Value value, Cone &cone) const {
    Operation *op = value.getDefiningOp();
    if (!groups.isLoose(op) || !op->hasTrait<OpTrait::Elementwise>() || isTable(op) ||
        !contains(space, dimsOf(value))) {
      if (isLarge(value))
        cone.leaves.insert(value);
      return;
    }
    if (!cone.ops.insert(op))
      return;
    for (Value operand : op->getOperands())
      follow(operand, cone);
  }

  void copy(const Cone &cone) {
    SmallVector<Operation *> ops(cone.ops.begin(), cone.ops.end());
    llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    IRMapping copies;
    SmallVector<Operation *> added;
    for (Operation *op : ops)
      added.push_back(OpBuilder(op).clone(*op, copies));
    for (Operation *op : epilogue())
      for (OpOperand &operand : op->getOpOperands())
        operand.set(copies.lookupOrDefault(operand.get()));
    groups.add(group, added);
  }

  Groups &groups;
  int64_t group;
  const DimSet &space;
};
} // namespace

void weft::recomputeOperands(Groups &groups, int64_t group, const DimSet &space) {
  Recompute(groups, group, space).run();
}
