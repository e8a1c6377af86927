// The loop over chunks of logits.
#include "passes/model/chunks/Chunks.h"

#include "ir/model/infer/Align.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

/// `value` with `dim` in front, as passes of a loop find their slices.
static Value inFront(OpBuilder &builder, Value value, DimAttr dim) {
  NamedTensorType type = typeOf(value);
  return shaped(builder, value.getLoc(), value,
                RepeatOp::stackOf(RepeatOp::sliceOf(type, dim), dim));
}

/// `op` again, of what `mapping` has of its operands, without `dim`; a sum adds up what is left.
static Operation *inPass(OpBuilder &builder, Operation *op, DimAttr dim, IRMapping &mapping) {
  DimList over;
  bool sums = false;
  if (isa<SumOp, ContractOp>(op))
    for (DimAttr each : op->getAttrOfType<DimsAttr>("over").getValue())
      each == dim ? void(sums = true) : over.push_back(each);
  if (sums && isa<SumOp>(op) && over.empty()) { // its part is what it adds up
    mapping.map(op->getResult(0), mapping.lookup(op->getOperand(0)));
    return nullptr;
  }
  Operation *clone = builder.clone(*op, mapping);
  if (sums)
    clone->setAttr("over", DimsAttr::get(op->getContext(), over));
  if (!reinfer(clone))
    for (auto [result, old] : llvm::zip(clone->getResults(), op->getResults()))
      result.setType(RepeatOp::sliceOf(typeOf(old), dim));
  return clone;
}

void Chunks::form() {
  SmallVector<Operation *> members(ops.getArrayRef());
  llvm::sort(members, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(members.back());
  builder.setInsertionPointAfter(members.back());
  Location loc = logits.getLoc();

  SmallVector<Value> carried, stacked; // results of the ops that others read
  for (Operation *op : members)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !ops.contains(user); }))
        (addsUp(op) ? carried : stacked).push_back(result);

  auto pass = std::make_unique<Block>();
  IRMapping mapping;
  SmallVector<Value> sums, sliced;
  for (Value value : carried) {
    sums.push_back(shaped(builder, loc, number(builder, loc, 0), typeOf(value)));
    pass->addArgument(value.getType(), value.getLoc());
  }
  for (Operation *op : members)
    for (Value operand : op->getOperands())
      if (Operation *made = operand.getDefiningOp();
          !mapping.contains(operand) && !(made && ops.contains(made)) && hasDim(operand, dim)) {
        sliced.push_back(inFront(builder, operand, dim));
        mapping.map(operand,
                    pass->addArgument(RepeatOp::sliceOf(typeOf(operand), dim), operand.getLoc()));
      }
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(pass.get());
  for (Operation *op : members)
    inPass(inside, op, dim, mapping);
  SmallVector<Value> yielded;
  SmallVector<Type> types;
  for (auto [i, value] : llvm::enumerate(carried)) {
    Value part = shaped(inside, value.getLoc(), mapping.lookup(value), typeOf(value));
    yielded.push_back(AddOp::create(inside, value.getLoc(), pass->getArgument(i), part));
    types.push_back(value.getType());
  }
  for (Value value : stacked) {
    yielded.push_back(mapping.lookup(value));
    types.push_back(RepeatOp::stackOf(typeOf(yielded.back()), dim));
  }
  YieldOp::create(inside, loc, yielded);
  auto loop = RepeatOp::create(builder, loc, types, dim, sums, sliced, UnitAttr());
  loop.getBody().push_back(pass.release());

  // What stands between the ops, and needs them, comes behind the loop.
  Operation *last = loop;
  for (Operation &op : llvm::make_early_inc_range(block))
    if (behind.contains(&op) && op.isBeforeInBlock(loop)) {
      op.moveAfter(last);
      last = &op;
    }
  builder.setInsertionPointAfter(loop);
  SmallVector<Value> old(carried);
  llvm::append_range(old, stacked);
  for (auto [value, result] : llvm::zip(old, loop.getResults()))
    value.replaceAllUsesExcept(shaped(builder, value.getLoc(), result, typeOf(value)),
                               SmallPtrSet<Operation *, 16>(ops.begin(), ops.end()));
  for (Operation *op : llvm::reverse(members)) {
    op->dropAllUses();
    op->erase();
  }
}
