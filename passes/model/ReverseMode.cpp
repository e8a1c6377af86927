// Reverse-mode differentiation of a block of the model dialect.
#include "passes/model/ReverseMode.h"

#include "ir/model/infer/Align.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

void ReverseMode::add(Value value, Value gradient) {
  if (!gradient || !activity.has(value))
    return;
  auto [found, first] = gradients.try_emplace(value, gradient);
  if (!first)
    found->second = AddOp::create(builder, gradient.getLoc(), found->second, gradient);
  else if (value.getParentBlock() != &forward)
    captured.push_back(value);
}

void ReverseMode::addParameter(StringAttr name, Value gradient) {
  auto [found, first] = parameters.try_emplace(name, gradient);
  if (!first)
    found->second = AddOp::create(builder, gradient.getLoc(), found->second, gradient);
}

Value ReverseMode::zeros(Location loc, Type type) {
  return shaped(builder, loc, number(builder, loc, 0), cast<NamedTensorType>(type));
}

Value ReverseMode::of(Value value) {
  auto found = gradients.find(value);
  if (found == gradients.end())
    return zeros(value.getLoc(), value.getType());
  return shaped(builder, found->second.getLoc(), found->second, typeOf(value));
}

/// Names the gradient of `x` `x.grad`, once it is complete: for who reads a dump or a list of
/// kernels.
void ReverseMode::name(Value gradient, StringRef value) {
  Operation *op = gradient ? gradient.getDefiningOp() : nullptr;
  if (op && !given.contains(op))
    op->setLoc(withName(op->getLoc(), (value + ".grad").str()));
}

LogicalResult ReverseMode::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : forward.without_terminator())
    ops.push_back(&op);
  given.insert_range(ops);
  for (Operation *op : llvm::reverse(ops))
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult ReverseMode::visit(Operation *op) {
  if (llvm::none_of(op->getResults(), [&](Value result) { return gradients.contains(result); }))
    return success();
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return visit(repeat);
  if (auto param = dyn_cast<ParamOp>(op)) {
    name(gradients.lookup(param.getResult()), param.getName());
    addParameter(param.getNameAttr().getAttr(), of(param.getResult()));
    return success();
  }
  auto differentiable = dyn_cast<Differentiable>(op);
  if (!differentiable)
    return op->emitError() << "no gradient is known of `" << op->getName().getStringRef() << "`";
  SmallVector<Value> results;
  for (Value result : op->getResults()) {
    if (std::optional<std::string> known = nameOf(op->getLoc()))
      name(gradients.lookup(result), *known);
    results.push_back(gradients.lookup(result));
    gradients.erase(result);
  }
  SmallVector<Value> operands = differentiable.gradients(builder, results);
  for (auto [operand, gradient] : llvm::zip(op->getOperands(), operands))
    add(operand, gradient);
  return success();
}
