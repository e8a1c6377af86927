// Values whose dimensions meet by name.
#include "ir/model/infer/Align.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace weft::model;

bool weft::model::contains(ArrayRef<DimAttr> whole, ArrayRef<DimAttr> part) {
  return llvm::all_of(part, [&](DimAttr dim) { return llvm::is_contained(whole, dim); });
}

DimList weft::model::both(ArrayRef<DimAttr> dims, ArrayRef<DimAttr> others) {
  DimList shared;
  llvm::copy_if(dims, std::back_inserter(shared),
                [&](DimAttr dim) { return llvm::is_contained(others, dim); });
  return shared;
}

bool weft::model::isContraction(ArrayRef<DimAttr> over, ArrayRef<DimAttr> a, ArrayRef<DimAttr> b) {
  return contains(a, over) && contains(b, over) && !contains(a, b) && !contains(b, a);
}

Value weft::model::sumOfProduct(OpBuilder &builder, Location loc, ArrayRef<DimAttr> over, Value a,
                                Value b) {
  if (!over.empty() && isContraction(over, dimsOf(a), dimsOf(b)))
    return ContractOp::create(builder, loc, over, a, b);
  Value product = MulOp::create(builder, loc, a, b);
  return over.empty() ? product : SumOp::create(builder, loc, over, product).getResult();
}

Value weft::model::bare(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!op->hasTrait<SameByName>())
      break;
    value = op->getOperand(0);
  }
  return value;
}

Value weft::model::along(OpBuilder &builder, Location loc, Value value, ArrayRef<DimAttr> dims) {
  DimList missing = without(dims, dimsOf(value));
  if (missing.empty())
    return value;
  return BroadcastOp::create(builder, loc, value, missing);
}

Value weft::model::shaped(OpBuilder &builder, Location loc, Value value, NamedTensorType type) {
  value = along(builder, loc, value, type.getDims());
  return value.getType() == type ? value : ArrangeOp::create(builder, loc, type, value).getResult();
}

Value weft::model::restated(OpBuilder &builder, Location loc, Value value, Type element) {
  auto type = [&](Value of) {
    return NamedTensorType::get(builder.getContext(), element, dimsOf(of));
  };
  SmallVector<Operation *> views;
  for (Operation *op = value.getDefiningOp(); op && op->hasTrait<View>();
       op = value.getDefiningOp()) {
    views.push_back(op);
    value = op->getOperand(0);
  }
  value = shaped(builder, loc, value, type(value));
  for (Operation *view : llvm::reverse(views)) {
    Operation *again = builder.clone(*view);
    again->setOperand(0, value);
    value = again->getResult(0);
    value.setType(type(view->getResult(0)));
  }
  return value;
}

bool weft::model::reinfer(Operation *op) {
  auto inferred = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (!inferred ||
      failed(inferred.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                       op->getDiscardableAttrDictionary(),
                                       op->getPropertiesStorage(), op->getRegions(), types)))
    return false;
  for (auto [result, type] : llvm::zip(op->getResults(), types))
    result.setType(type);
  return true;
}

/// A use, and the type that its op was made for.
using Use = std::pair<OpOperand *, Type>;

static SmallVector<Use> usesOf(Value value) {
  SmallVector<Use> uses;
  for (OpOperand &use : value.getUses())
    uses.push_back({&use, value.getType()});
  return uses;
}

/// Lets the ops follow the types of what they use.
static void follow(SmallVector<Use> uses) {
  while (!uses.empty()) {
    auto [use, before] = uses.pop_back_val();
    Operation *user = use->getOwner();
    if (use->get().getType() == before || isa<ArrangeOp>(user))
      continue;
    SmallVector<Type> types(user->getResultTypes());
    if (!reinfer(user)) {
      OpBuilder builder(user);
      use->set(ArrangeOp::create(builder, user->getLoc(), before, use->get()));
      continue;
    }
    for (auto [result, type] : llvm::zip(user->getResults(), types))
      for (OpOperand &next : result.getUses())
        if (result.getType() != type)
          uses.push_back({&next, type});
  }
}

void weft::model::replaceByName(Value old, Value value) {
  SmallVector<Use> uses = usesOf(old);
  for (auto [use, type] : uses)
    use->set(value);
  follow(std::move(uses));
}

void weft::model::changeType(Value value, NamedTensorType type) {
  SmallVector<Use> uses = usesOf(value);
  value.setType(type);
  follow(std::move(uses));
}

std::array<std::pair<Value, Value>, 2> weft::model::bothWays(Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  return {std::pair(a, b), std::pair(b, a)};
}

void weft::model::replaceOp(Operation *op, Value value) {
  OpBuilder builder(op);
  Value old = op->getResult(0);
  replaceByName(old, along(builder, op->getLoc(), value, dimsOf(old)));
  op->erase();
}

Value weft::model::number(OpBuilder &builder, Location loc, double value) {
  return ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
}

Value weft::model::floatFunction(OpBuilder &builder, Location loc, StringRef name, Value input) {
  StringAttr op = builder.getStringAttr(ModelDialect::getDialectNamespace() + "." + name);
  return builder.create(loc, op, input, input.getType())->getResult(0);
}

Value weft::model::countOf(OpBuilder &builder, Location loc, ArrayRef<DimAttr> dims) {
  Value count = number(builder, loc, 1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value one = SizeOp::create(builder, loc,
                               SizeAttr::get(builder.getContext(), Size::dim(dim.getValue())));
    one = ToFloatOp::create(builder, loc, one);
    count = i ? Value(MulOp::create(builder, loc, count, one)) : one;
  }
  return count;
}
