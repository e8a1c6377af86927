// What does not depend on the sequence at all.
#include "passes/model/decode/Once.h"

#include "ir/model/infer/Align.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

Once::Once(func::FuncOp function, const Causality &causality) : causality(causality) {
  for (BlockArgument argument : function.getArguments())
    set(argument, !grows(argument), true);
  visit(function.front());
}

bool Once::grows(Value value) const {
  return llvm::any_of(typeOf(value).getDims(), [&](DimAttr dim) { return causality.grows(dim); });
}

void Once::set(Value value, bool isSame, bool isData) {
  isSame ? (void)same.insert(value) : (void)same.erase(value);
  isData ? (void)data.insert(value) : (void)data.erase(value);
}

void Once::visit(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (auto repeat = dyn_cast<RepeatOp>(op)) {
      visit(repeat);
      continue;
    }
    bool isSame = llvm::all_of(op.getOperands(), [&](Value value) { return same.contains(value); });
    bool isData = llvm::any_of(op.getOperands(), [&](Value value) { return data.contains(value); });
    for (Value result : op.getResults())
      set(result, isSame && !isa<RandomOp>(op) && !grows(result), isData || isa<ParamOp>(op));
  }
}

void Once::visit(RepeatOp op) {
  auto follow = [&](Value to, Value from) { set(to, same.contains(from), data.contains(from)); };
  for (auto [argument, init] : llvm::zip(op.getPassCarried(), op.getCarried()))
    follow(argument, init);
  for (auto [argument, slice] : llvm::zip(op.getPassSlices(), op.getSlices()))
    follow(argument, slice);
  ValueRange next = op.getYield().getValues();
  for (bool changed = true; changed;) {
    visit(op.getBody().front());
    changed = false;
    for (auto [argument, value] : llvm::zip(op.getPassCarried(), next)) {
      changed |= same.contains(argument) && !same.contains(value);
      changed |= !data.contains(argument) && data.contains(value);
      set(argument, same.contains(argument) && same.contains(value),
          data.contains(argument) || data.contains(value));
    }
  }
  for (auto [result, value] : llvm::zip(op.getResults(), next))
    follow(result, value);
}

bool Once::isKept(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !same.contains(value) || !data.contains(value) || typeOf(value).getDims().empty())
    return false;
  if (isa<ParamOp>(op) || op->hasTrait<View>())
    return false;
  return typeOf(value).isFloat() || !op->hasTrait<OpTrait::Elementwise>();
}

} // namespace weft::decode
