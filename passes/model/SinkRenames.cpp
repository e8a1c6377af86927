// f(x[a as b])  ==>  f(x)[a as b]
//
// Where x is used under another name too: later ops then see one value in the place of two, so q, k
// and v of x, x[seq as key] and x[seq as key] are products of one activation, forwards and
// backwards. Renames only ever sink, past one op at a time, so this ends; they sink past
// elementwise ops behind such a product too (a bias stays beside it). What nothing would share
// stays as it is written. After the idioms, which are recognised by the ops inside of them.
#include "passes/Passes.h"

#include "ir/model/demands/Demands.h"
#include "ir/model/infer/Align.h"
#include "passes/model/DeadOps.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_SINKRENAMES
#include "passes/Passes.h.inc"

namespace {
using namespace model;

RegroupOp renameOf(Value value) {
  auto regroup = value.getDefiningOp<RegroupOp>();
  bool one = regroup && regroup.getFrom().size() == 1 && regroup.getTo().size() == 1;
  return one ? regroup : RegroupOp();
}

Value withoutNames(Value value) {
  while (RegroupOp rename = renameOf(value))
    value = rename.getInput();
  return value;
}

bool isSame(RegroupOp a, RegroupOp b) {
  return a && a.getFrom() == b.getFrom() && a.getTo() == b.getTo();
}

/// The dimensions that an op speaks of by name.
DimList named(Operation *op) {
  auto over = op->getAttrOfType<DimsAttr>("over");
  return over ? DimList(over.getValue()) : DimList();
}

bool canCommute(Operation *op) {
  return (op->hasTrait<OpTrait::Elementwise>() || isa<ContractOp, NormalizeOp>(op)) &&
         op->getNumResults() == 1 && typeOf(op->getResult(0)).isFloat();
}

class Sinking {
public:
  explicit Sinking(Block &block) : block(block) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block))
      for (Operation *next = &op; next;)
        next = sink(next);
  }

private:
  /// Moves a rename behind `op`; gives the op that computes the same before the rename, or null if
  /// nothing was moved.
  Operation *sink(Operation *op) {
    if (!canCommute(op))
      return nullptr;
    for (Value operand : op->getOperands())
      if (RegroupOp rename = renameOf(operand))
        if (std::optional<SmallVector<Value>> before = operandsBefore(op, rename);
            before && isProfitable(op, rename))
          return replace(op, rename, *before);
    return nullptr;
  }

  /// The operands of `op` before the rename; nothing if an operand has one of its two names, but
  /// not by this rename.
  std::optional<SmallVector<Value>> operandsBefore(Operation *op, RegroupOp rename) {
    DimAttr from = rename.getFrom()[0], to = rename.getTo()[0];
    if (llvm::is_contained(named(op), to))
      return std::nullopt;
    SmallVector<Value> before;
    for (Value operand : op->getOperands()) {
      if (isSame(renameOf(operand), rename))
        before.push_back(renameOf(operand).getInput());
      else if (!hasDim(operand, from) && !hasDim(operand, to))
        before.push_back(operand);
      else
        return std::nullopt;
    }
    return before;
  }

  bool isProfitable(Operation *op, RegroupOp rename) {
    Operation *maker = rename.getInput().getDefiningOp();
    if (op->hasTrait<OpTrait::Elementwise>() && sunk.contains(maker))
      return true;
    return llvm::any_of(block, [&](Operation &other) {
      return &other != op && other.getName() == op->getName() &&
             (isa<ContractOp>(op) ? multiplyAlike(op, &other) : computeAlike(op, &other));
    });
  }

  /// Products of one activation under two names. A shared weight is no reason: one kernel would
  /// read it once for each activation too.
  bool multiplyAlike(Operation *op, Operation *other) {
    DimList over = named(op), others = named(other);
    if (over.size() != others.size() || !contains(over, others))
      return false;
    for (Value a : op->getOperands())
      for (Value b : other->getOperands())
        if (a != b && withoutNames(a) == withoutNames(b) &&
            !withoutNames(a).getDefiningOp<ParamOp>())
          return true;
    return false;
  }

  /// The same op of the same operands, up to renames.
  bool computeAlike(Operation *op, Operation *other) {
    return op->getOperands() != other->getOperands() &&
           op->getAttrDictionary() == other->getAttrDictionary() &&
           op->getNumOperands() == other->getNumOperands() &&
           llvm::all_of(llvm::zip(op->getOperands(), other->getOperands()), [](auto pair) {
             return withoutNames(std::get<0>(pair)) == withoutNames(std::get<1>(pair));
           });
  }

  Operation *replace(Operation *op, RegroupOp rename, ArrayRef<Value> operands) {
    OpBuilder builder(op);
    Operation *before = existing(op, operands);
    if (before && op->isBeforeInBlock(before))
      before->moveBefore(op); // its operands are defined there
    if (!before) {
      DimAttr from = rename.getFrom()[0], to = rename.getTo()[0];
      NamedTensorType type = typeOf(op->getResult(0));
      DimList dims(type.getDims());
      llvm::replace(dims, to, from);
      before = builder.insert(op->cloneWithoutRegions());
      before->setOperands(operands);
      before->getResult(0).setType(NamedTensorType::get(op->getContext(), type.getElement(), dims));
    }
    before->setLoc(heldTo(before->getLoc(), op->getLoc()));
    sunk.insert(before);
    Value after = RegroupOp::create(builder, op->getLoc(), before->getResult(0), rename.getFrom(),
                                    rename.getTo());
    replaceByName(op->getResult(0), after);
    sunk.erase(op);
    op->erase();
    return before;
  }

  /// An op that computes the same as `op` from `operands`, or null.
  Operation *existing(Operation *op, ArrayRef<Value> operands) {
    for (Operation *user : operands.front().getUsers())
      if (user != op && user->getBlock() == &block && user->getName() == op->getName() &&
          user->getAttrDictionary() == op->getAttrDictionary() &&
          ValueRange(user->getOperands()) == ValueRange(operands))
        return user;
    return nullptr;
  }

  Block &block;
  llvm::SmallPtrSet<Operation *, 16> sunk; // ops that a rename has sunk past
};

struct SinkRenames : impl::SinkRenamesBase<SinkRenames> {
  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([](Operation *op) {
      if (isa<func::FuncOp, RepeatOp>(op) && !op->getRegion(0).empty())
        Sinking(op->getRegion(0).front()).run();
    });
    eraseDead(getOperation());
  }
};
} // namespace
} // namespace weft
