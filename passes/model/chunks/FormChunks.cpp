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

namespace {
/// What is computed of each chunk, and the loop of that.
class ChunkLoop {
public:
  /// Of these ops, in the order of the program, one position of `dim` at a time.
  ChunkLoop(ArrayRef<Operation *> ops, DimAttr dim) : ops(ops), dim(dim), body(new Block) {}

  /// What is a result of the loop: of a sum the parts of all passes, else a part of each.
  void give(Value value, bool addsUp) { (addsUp ? carried : stacked).push_back(value); }
  /// In the order of the loop's results.
  SmallVector<Value> given() const {
    SmallVector<Value> all(carried);
    llvm::append_range(all, stacked);
    return all;
  }

  RepeatOp build(OpBuilder &builder, Location loc) {
    SmallVector<Value> zeros;
    for (Value value : carried) {
      zeros.push_back(shaped(builder, loc, number(builder, loc, 0), typeOf(value)));
      body->addArgument(value.getType(), value.getLoc());
    }
    SmallVector<Value> slices = takeSlices(builder);
    OpBuilder inside(builder.getContext());
    inside.setInsertionPointToEnd(body.get());
    for (Operation *op : ops)
      copy(inside, op);
    yield(inside, loc);
    SmallVector<Type> types;
    for (Value value : carried)
      types.push_back(value.getType());
    for (Value value : stacked)
      types.push_back(RepeatOp::stackOf(typeOf(mapping.lookup(value)), dim));
    auto loop = RepeatOp::create(builder, loc, types, dim, zeros, slices, UnitAttr());
    loop.getBody().push_back(body.release());
    return loop;
  }

private:
  /// What the ops read from outside with `dim`: a pass sees its part.
  SmallVector<Value> takeSlices(OpBuilder &builder) {
    llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
    SmallVector<Value> slices;
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (hasDim(operand, dim) && !inside.contains(operand.getDefiningOp()) &&
            !mapping.contains(operand)) {
          slices.push_back(inFront(builder, operand, dim));
          Type slice = RepeatOp::sliceOf(typeOf(operand), dim);
          mapping.map(operand, body->addArgument(slice, operand.getLoc()));
        }
    return slices;
  }

  /// `op` without `dim`; a sum adds up what is left.
  void copy(OpBuilder &builder, Operation *op) {
    auto over = isa<SumOp, ContractOp>(op) ? op->getAttrOfType<DimsAttr>("over") : DimsAttr();
    DimList left = over ? without(over.getValue(), dim) : DimList();
    if (isa<SumOp>(op) && left.empty()) // a position is what it adds up; of products there is more
      return mapping.map(op->getResult(0), mapping.lookup(op->getOperand(0)));
    Operation *clone = builder.clone(*op, mapping);
    if (over)
      clone->setAttr("over", DimsAttr::get(op->getContext(), left));
    if (!reinfer(clone))
      for (auto [result, old] : llvm::zip(clone->getResults(), op->getResults()))
        result.setType(RepeatOp::sliceOf(typeOf(old), dim));
  }

  void yield(OpBuilder &builder, Location loc) {
    SmallVector<Value> parts;
    for (auto [sum, value] : llvm::zip(body->getArguments(), carried)) {
      Value part = shaped(builder, value.getLoc(), mapping.lookup(value), typeOf(value));
      parts.push_back(AddOp::create(builder, value.getLoc(), sum, part));
    }
    for (Value value : stacked)
      parts.push_back(mapping.lookup(value));
    YieldOp::create(builder, loc, parts);
  }

  ArrayRef<Operation *> ops;
  DimAttr dim;
  SmallVector<Value> carried, stacked;
  std::unique_ptr<Block> body;
  IRMapping mapping;
};
} // namespace

/// What stands between the ops, and needs them, comes behind the loop.
void Chunks::moveBehind(Operation *loop) {
  Operation *last = loop;
  for (Operation &op : llvm::make_early_inc_range(block))
    if (behind.contains(&op) && op.isBeforeInBlock(loop)) {
      op.moveAfter(last);
      last = &op;
    }
}

void Chunks::form() {
  SmallVector<Operation *> members(ops.getArrayRef());
  llvm::sort(members, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  auto isOutside = [&](Operation *user) { return !ops.contains(user); };
  ChunkLoop chunks(members, dim);
  for (Operation *op : members)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        chunks.give(result, addsUp(op));
  OpBuilder builder(members.back());
  builder.setInsertionPointAfter(members.back());
  RepeatOp loop = chunks.build(builder, logits.getLoc());
  moveBehind(loop);
  builder.setInsertionPointAfter(loop);
  for (auto [value, result] : llvm::zip_equal(chunks.given(), loop.getResults()))
    value.replaceUsesWithIf(shaped(builder, value.getLoc(), result, typeOf(value)),
                            [&](OpOperand &use) { return isOutside(use.getOwner()); });
  for (Operation *op : llvm::reverse(members)) {
    op->dropAllUses();
    op->erase();
  }
}
