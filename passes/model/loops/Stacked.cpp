// Loops with further results, and dimensions to keep them along.
#include "passes/model/loops/Stacked.h"

#include "ir/model/Dims.h"

using namespace mlir;

namespace weft::model {

RepeatOp withStacked(RepeatOp op, ArrayRef<Value> values) {
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  for (Value value : values)
    types.push_back(RepeatOp::stackOf(typeOf(value), op.getDimAttr()));
  auto repeat = RepeatOp::create(builder, op.getLoc(), types, op.getDimAttr(), op.getCarried(),
                                 op.getSlices(), op.getReverseAttr());
  repeat->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  repeat.getBody().takeBody(op.getBody());
  repeat.getYield().getValuesMutable().append(values);
  op->replaceAllUsesWith(repeat.getResults().take_front(op.getNumResults()));
  op.erase();
  return repeat;
}

DimAttr otherName(Operation *op, DimAttr dim, ArrayRef<DimAttr> taken) {
  auto module = op->getParentOfType<ModuleOp>();
  auto size = SizeAttr::get(op->getContext(), Size::dim(dim.getValue()));
  for (unsigned i = 1;; ++i) {
    auto name = DimAttr::get(op->getContext(), dim.getValue() + "_" + Twine(i));
    Operation *symbol = SymbolTable::lookupSymbolIn(module, name.getName());
    auto declared = dyn_cast_or_null<DimOp>(symbol);
    if (llvm::is_contained(taken, name) ||
        (symbol && !(declared && declared.getSizeAttr() == size)))
      continue;
    if (auto like = module.lookupSymbol<DimOp>(dim); like && !symbol) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(like);
      DimOp::create(builder, withName(like.getLoc(), written(op, dim)), name, size);
    }
    return name;
  }
}

} // namespace weft::model
