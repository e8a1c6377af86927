// Which values depend on what a function is differentiated by.
#include "ir/model/infer/Align.h"
#include "passes/model/ReverseMode.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

Activity::Activity(func::FuncOp function, ValueRange inputs, ArrayAttr frozen)
    : parameters(function->getParentOfType<ModuleOp>()), frozen(frozen) {
  for (Value input : inputs)
    mark(input);
  visit(function.front());
}

bool Activity::mark(Value value) {
  auto type = dyn_cast<NamedTensorType>(value.getType());
  return type && type.isFloat() && active.insert(value).second;
}

bool Activity::visit(Block &block) {
  bool changed = false;
  for (Operation &op : block) {
    if (auto param = dyn_cast<ParamOp>(op)) {
      auto declared = parameters.lookup<ParameterOp>(param.getName());
      bool isFrozen = frozen && llvm::is_contained(frozen, param.getNameAttr().getAttr());
      if (declared && declared.getKind() == ParameterKind::parameter && !isFrozen)
        changed |= mark(param.getResult());
    } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
      changed |= visit(repeat);
    } else if (llvm::any_of(op.getOperands(), [&](Value operand) { return has(operand); })) {
      for (Value result : op.getResults())
        changed |= mark(result);
    }
  }
  return changed;
}

bool Activity::visit(RepeatOp repeat) {
  bool any = false;
  auto follow = [&](Value from, Value to) { return has(from) && mark(to); };
  for (bool changed = true; changed; any |= changed) {
    changed = false;
    for (auto [operand, argument] :
         llvm::zip(repeat.getOperands(), repeat.getBody().getArguments()))
      changed |= follow(operand, argument);
    changed |= visit(repeat.getBody().front());
    for (auto [i, yielded] : llvm::enumerate(repeat.getYield().getValues())) {
      changed |= follow(yielded, repeat.getResult(i));
      if (i < repeat.getNumCarried())
        changed |= follow(yielded, repeat.getBody().getArgument(i));
    }
    for (auto [operand, result] : llvm::zip(repeat.getCarried(), repeat.getResults()))
      changed |= follow(operand, result);
  }
  return any;
}
