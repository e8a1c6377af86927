// Types of reductions, views and ops that move elements.
#include "ir/model/infer/Infer.h"

using namespace mlir;
using namespace weft::model;

/// `dims` with `from` dropped and `to` in the place of the first of them.
static DimList replaced(ArrayRef<DimAttr> dims, ArrayRef<DimAttr> from, ArrayRef<DimAttr> to) {
  DimList result;
  bool placed = false;
  for (DimAttr dim : dims) {
    if (!llvm::is_contained(from, dim)) {
      result.push_back(dim);
      continue;
    }
    if (!placed)
      result.append(to.begin(), to.end());
    placed = true;
  }
  return result;
}

// Of whole numbers i32, a maximum of positions too: over nothing it is none.
LogicalResult Inference::reduction(ArrayRef<DimAttr> over, Value input) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float | Whole)) || failed(needs(type, over, "the input")))
    return failure();
  return giveElement(type.isFloat() ? Float : Whole, without(type.getDims(), over));
}

LogicalResult Inference::argmax(ArrayRef<DimAttr> over, Value input) {
  NamedTensorType type = typeOf(input);
  if (over.size() != 1)
    return fail("argmax is over exactly one dimension");
  if (failed(takes(type, Float | Whole)) || failed(needs(type, over, "the input")))
    return failure();
  return giveIndex(over.front(), without(type.getDims(), over));
}

LogicalResult Inference::top(DimAttr k, DimAttr dim, Value input) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float | Whole)) || failed(needs(type, dim, "the input")))
    return failure();
  DimList dims = without(type.getDims(), dim);
  dims.push_back(k);
  return giveIndex(dim, dims);
}

LogicalResult Inference::cumsum(DimAttr dim, Value input) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float | Whole)) || failed(needs(type, dim, "the input")))
    return failure();
  return giveElement(type.isFloat() ? Float : Whole, type.getDims());
}

LogicalResult Inference::broadcast(Value input, ArrayRef<DimAttr> along) {
  NamedTensorType type = typeOf(input);
  DimList dims(type.getDims());
  llvm::append_range(dims, along);
  return give(type.getElement(), dims);
}

LogicalResult Inference::regroup(Value input, ArrayRef<DimAttr> from, ArrayRef<DimAttr> to) {
  NamedTensorType type = typeOf(input);
  if (from.empty())
    return fail("`from` is empty");
  for (size_t i = 0; i < from.size(); ++i)
    if (llvm::is_contained(from.take_front(i), from[i]))
      return fail("`from` has '" + from[i].getValue() + "' twice");
  if (failed(needs(type, from, "the input")))
    return failure();
  return give(type.getElement(), replaced(type.getDims(), from, to));
}

LogicalResult Inference::part(Value input, DimAttr dim, DimAttr part) {
  NamedTensorType type = typeOf(input);
  if (failed(needs(type, dim, "the input")))
    return failure();
  return give(type.getElement(), replaced(type.getDims(), dim, part));
}

LogicalResult Inference::pick(Value input, DimAttr dim) {
  NamedTensorType type = typeOf(input);
  if (failed(needs(type, dim, "the input")))
    return failure();
  return give(type.getElement(), without(type.getDims(), dim));
}

LogicalResult Inference::gather(Value input, DimAttr dim, Value index) {
  NamedTensorType type = typeOf(input), indexType = typeOf(index);
  if (failed(needs(type, dim, "the input")) || failed(takes(indexType, Whole)))
    return failure();
  // The index's dimensions stand where `dim` stood, so a table look-up gives rows: [batch, seq,
  // model].
  DimList dims;
  for (DimAttr each : type.getDims()) {
    if (each != dim) {
      dims.push_back(each);
      continue;
    }
    for (DimAttr added : indexType.getDims())
      if (!type.has(added) || added == dim)
        dims.push_back(added);
  }
  return give(type.getElement(), dims);
}

static FailureOr<SmallVector<NamedTensorType>> tensors(ValueRange values) {
  SmallVector<NamedTensorType> result;
  for (Value value : values) {
    auto type = dyn_cast<NamedTensorType>(value.getType());
    if (!type)
      return failure();
    result.push_back(type);
  }
  return result;
}

LogicalResult Inference::stack(DimAttr dim, ValueRange inputs) {
  FailureOr<SmallVector<NamedTensorType>> all = tensors(inputs);
  if (failed(all) || all->empty())
    return fail("stack takes one tensor or more");
  if (failed(sameKind(*all)))
    return failure();
  DimList dims = unionOfDims(*all);
  dims.push_back(dim);
  return give(commonElement(*all), dims);
}

LogicalResult Inference::concat(DimAttr dim, ArrayRef<DimAttr> parts, ValueRange inputs) {
  FailureOr<SmallVector<NamedTensorType>> all = tensors(inputs);
  if (failed(all) || all->empty())
    return fail("concat takes one tensor or more");
  if (parts.size() != all->size())
    return fail("as many parts as inputs are needed");
  if (failed(sameKind(*all)))
    return failure();
  DimList dims;
  for (auto [type, part] : llvm::zip(*all, parts)) {
    if (failed(needs(type, part, "the input of part '" + part.str() + "'")))
      return failure();
    if (part != dim && type.has(dim))
      return fail("an input has '" + dim.getValue() + "' beside its part");
    dims = with(dims, replaced(type.getDims(), part, dim));
  }
  return give(commonElement(*all), dims);
}
