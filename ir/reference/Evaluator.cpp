// Dispatch by kind of op, and lifetimes of values.
#include "ir/reference/Evaluator.h"

#include "ir/model/Arithmetic.h"
#include "ir/model/infer/Align.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

int64_t Evaluator::sizeOf(const Size &size) const {
  // The interpreter has checked that every size of the program has a value before it runs anything.
  return *dims.resolve(size).evaluate([&](const std::string &name) { return sizes.find(name); });
}

NamedTensorType Evaluator::typeOver(ArrayRef<DimAttr> dims) {
  MLIRContext *context = module.getContext();
  return NamedTensorType::get(context, Float32Type::get(context), dims);
}

Tensor Evaluator::tensor(NamedTensorType type, Array array) const {
  return {type, std::make_shared<const Array>(std::move(array))};
}

Array Evaluator::zeros(NamedTensorType type) const {
  Array result;
  result.shape = sizes[type.getDims()];
  size_t count = countOf(result.shape);
  if (type.isFloat())
    result.data = Floats(count, 0.0);
  else if (type.isBool())
    result.data = Switches(count, 0);
  else
    result.data = Wholes(count, 0);
  return result;
}

/// For each op of `block`, the values that no later op of it needs.
static DenseMap<Operation *, SmallVector<Value>> lastUses(Block &block) {
  DenseMap<Operation *, SmallVector<Value>> result;
  auto add = [&](Value value) {
    Operation *last = nullptr;
    for (Operation *user : value.getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (here && (!last || last->isBeforeInBlock(here)))
        last = here;
    }
    result[last ? last : value.getDefiningOp()].push_back(value);
  };
  for (Value argument : block.getArguments())
    if (!argument.use_empty())
      add(argument);
  for (Operation &op : block)
    for (Value value : op.getResults())
      add(value);
  return result;
}

FailureOr<std::vector<Tensor>> Evaluator::run(Block &block, ArrayRef<Tensor> arguments) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  DenseMap<Operation *, SmallVector<Value>> dead = lastUses(block);
  for (Operation &op : block.without_terminator()) {
    if (failed(evaluate(&op)))
      return failure();
    for (Value value : dead.lookup(&op))
      values.erase(value);
  }
  std::vector<Tensor> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(get(value));
  return results;
}

LogicalResult Evaluator::evaluate(Operation *op) {
  if (auto loop = dyn_cast<RepeatOp>(op))
    return repeat(loop);
  if (auto write = dyn_cast<AssignOp>(op)) {
    assign(write);
    return success();
  }
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() && op->getNumRegions() == 1)
    return within(op);
  if (isa<AttentionOp, AttentionGradOp>(op)) {
    std::vector<Tensor> results = isa<AttentionOp>(op) ? attention(cast<AttentionOp>(op))
                                                       : attentionGrad(cast<AttentionGradOp>(op));
    for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
      take(value, *result.array);
    return success();
  }
  Result result = single(op);
  if (failed(result))
    return failure();
  // Whole numbers wrap at 32 bits.
  if (auto *wholes = std::get_if<Wholes>(&result->data))
    for (int64_t &each : *wholes)
      each = wrapped(each);
  take(op->getResult(0), std::move(*result));
  return success();
}

/// An op around others, such as a kernel: its operands are its block's arguments.
LogicalResult Evaluator::within(Operation *op) {
  std::vector<Tensor> arguments;
  for (Value operand : op->getOperands())
    arguments.push_back(get(operand));
  FailureOr<std::vector<Tensor>> yielded = run(op->getRegion(0).front(), arguments);
  if (failed(yielded))
    return failure();
  for (auto [value, result] : llvm::zip_equal(op->getResults(), *yielded))
    take(value, *result.array);
  return success();
}

void Evaluator::take(OpResult value, Array array) {
  if (observer) {
    SmallVector<Tensor> operands;
    for (Value operand : value.getOwner()->getOperands())
      operands.push_back(get(operand));
    (*observer)(value, operands, array);
  }
  values[value] = tensor(typeOf(value), std::move(array));
}

Evaluator::Result Evaluator::single(Operation *op) {
  if (op->hasTrait<Free>() || isa<RandomOp>(op))
    return leaf(op);
  if (op->hasTrait<OpTrait::Elementwise>())
    return elementwise(op);
  if (op->hasTrait<Idiom>())
    return idiom(op);
  if (isa<Reducing>(op) || isa<TopOp, CumSumOp>(op))
    return reduction(op);
  if (isa<Moving>(op) || isa<ScatterOp>(op))
    return movement(op);
  if (auto read = dyn_cast<ParamOp>(op))
    return parameter(read);
  return op->emitOpError("is not an op that the interpreter runs");
}
