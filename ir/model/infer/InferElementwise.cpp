// Types of leaves and elementwise ops: the union of the operands' dimensions.
#include "ir/model/infer/Infer.h"

using namespace mlir;
using namespace weft::model;

DimList weft::model::without(ArrayRef<DimAttr> dims, ArrayRef<DimAttr> dropped) {
  DimList left;
  for (DimAttr dim : dims)
    if (!llvm::is_contained(dropped, dim))
      left.push_back(dim);
  return left;
}

DimList weft::model::with(ArrayRef<DimAttr> dims, ArrayRef<DimAttr> more) {
  DimList both(dims);
  for (DimAttr dim : more)
    if (!llvm::is_contained(both, dim))
      both.push_back(dim);
  return both;
}

DimList weft::model::unionOfDims(ArrayRef<NamedTensorType> types) {
  // `0.5 * x`, `where(mask, scores, -inf)`: the large operand keeps its order in memory.
  for (NamedTensorType type : types)
    if (llvm::all_of(types, [&](NamedTensorType other) {
          return without(other.getDims(), type.getDims()).empty();
        }))
      return DimList(type.getDims());
  DimList dims;
  for (NamedTensorType type : types)
    dims = with(dims, type.getDims());
  return dims;
}

static Elements elementOf(NamedTensorType type) {
  if (type.isFloat())
    return Float;
  return type.isBool() ? Switch : Whole;
}

bool weft::model::isSameKind(NamedTensorType a, NamedTensorType b) {
  return elementOf(a) == elementOf(b);
}

Type weft::model::commonElement(ArrayRef<NamedTensorType> types) {
  Type element = types.front().getElement();
  for (NamedTensorType type : types.drop_front())
    if (type.getElement() != element)
      return IntegerType::get(element.getContext(), 32);
  return element;
}

LogicalResult Inference::give(Type element, ArrayRef<DimAttr> dims) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (llvm::is_contained(dims.take_front(i), dims[i]))
      return fail("the result would have dimension '" + dims[i].getValue() + "' twice");
  types.push_back(NamedTensorType::get(context, element, dims));
  return success();
}

LogicalResult Inference::giveElement(Elements element, ArrayRef<DimAttr> dims) {
  if (element == Float)
    return give(Float32Type::get(context), dims);
  return give(IntegerType::get(context, element == Switch ? 1 : 32), dims);
}

LogicalResult Inference::giveIndex(DimAttr dim, ArrayRef<DimAttr> dims) {
  return give(DimIndexType::get(context, dim), dims);
}

LogicalResult Inference::takes(NamedTensorType type, Elements elements) {
  if (elementOf(type) & elements)
    return success();
  std::string allowed;
  for (auto [bit, name] : {std::pair(Float, "f32"), {Whole, "i32"}, {Switch, "i1"}})
    if (elements & bit)
      allowed += (allowed.empty() ? "" : " or ") + std::string(name);
  std::string found;
  llvm::raw_string_ostream(found) << type.getElement();
  return fail("takes elements " + allowed + ", not " + found);
}

LogicalResult Inference::needs(NamedTensorType type, ArrayRef<DimAttr> dims, StringRef what) {
  for (DimAttr dim : dims)
    if (!type.has(dim))
      return fail(what + " has no dimension '" + dim.getValue() + "'");
  return success();
}

LogicalResult Inference::sameDims(NamedTensorType type, ArrayRef<DimAttr> dims, StringRef what) {
  if (failed(needs(type, dims, what)))
    return failure();
  for (DimAttr dim : type.getDims())
    if (!llvm::is_contained(dims, dim))
      return fail(what + " has dimension '" + dim.getValue() + "' too many");
  return success();
}

LogicalResult Inference::sameKind(ArrayRef<NamedTensorType> operands) {
  for (NamedTensorType type : operands)
    if (!isSameKind(type, operands.front()))
      return fail("operands have different elements");
  return success();
}

LogicalResult Inference::constant(Attribute value) {
  if (isa<FloatAttr>(value))
    return giveElement(Float, {});
  return giveElement(isa<BoolAttr>(value) ? Switch : Whole, {});
}

LogicalResult Inference::index(DimAttr dim) {
  return giveIndex(dim, {dim});
}

LogicalResult Inference::extent() {
  return giveElement(Whole, {});
}

LogicalResult Inference::clamp(DimAttr dim, Value input) {
  NamedTensorType type = typeOf(input);
  return failed(takes(type, Whole)) ? failure() : giveIndex(dim, type.getDims());
}

LogicalResult Inference::unary(Value input, Elements from, Elements to) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, from)))
    return failure();
  return giveElement(from == to ? elementOf(type) : to, type.getDims());
}

LogicalResult Inference::binary(Value lhs, Value rhs, Elements elements) {
  NamedTensorType a = typeOf(lhs), b = typeOf(rhs);
  if (failed(takes(a, elements)) || failed(sameKind({a, b})))
    return failure();
  return giveElement(elementOf(a), unionOfDims({a, b}));
}

LogicalResult Inference::either(Value lhs, Value rhs) {
  NamedTensorType a = typeOf(lhs), b = typeOf(rhs);
  if (failed(takes(a, Float | Whole)) || failed(sameKind({a, b})))
    return failure();
  return give(commonElement({a, b}), unionOfDims({a, b}));
}

LogicalResult Inference::compare(Value lhs, Value rhs) {
  NamedTensorType a = typeOf(lhs), b = typeOf(rhs);
  if (failed(sameKind({a, b})))
    return failure();
  return giveElement(Switch, unionOfDims({a, b}));
}

LogicalResult Inference::where(Value condition, Value then, Value otherwise) {
  NamedTensorType c = typeOf(condition), a = typeOf(then), b = typeOf(otherwise);
  if (failed(takes(c, Switch)) || failed(sameKind({a, b})))
    return failure();
  return give(commonElement({a, b}), unionOfDims({a, b, c}));
}
