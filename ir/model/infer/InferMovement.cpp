// Types of reductions, views and ops that move elements.
#include "ir/model/infer/Infer.h"

using namespace mlir;
using namespace weft::model;

/// `dims` with `from` gone and `to` in the place of the first of them.
static SmallVector<StringAttr> replaced(ArrayRef<StringAttr> dims, ArrayRef<StringAttr> from,
                                        ArrayRef<StringAttr> to) {
  SmallVector<StringAttr> result;
  bool placed = false;
  for (StringAttr dim : dims) {
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

LogicalResult Inference::reduction(ArrayAttr over, Value input) {
  NamedTensorType type = typeOf(input);
  SmallVector<StringAttr> gone = namesIn(over);
  if (failed(takes(type, Float | Whole)) || failed(needs(type, gone, "the input")))
    return failure();
  return give(type.getElement(), without(type.getDims(), gone));
}

LogicalResult Inference::argmax(ArrayAttr over, Value input) {
  NamedTensorType type = typeOf(input);
  SmallVector<StringAttr> gone = namesIn(over);
  if (gone.size() != 1)
    return fail("argmax is over exactly one dimension");
  if (failed(takes(type, Float | Whole)) || failed(needs(type, gone, "the input")))
    return failure();
  return giveElement(Whole, without(type.getDims(), gone));
}

LogicalResult Inference::top(StringAttr k, StringAttr dim, Value input) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float | Whole)) || failed(needs(type, dim, "the input")))
    return failure();
  SmallVector<StringAttr> dims = without(type.getDims(), dim);
  dims.push_back(k);
  return giveElement(Whole, dims);
}

LogicalResult Inference::along(StringAttr dim, Value input, Elements elements) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, elements)) || failed(needs(type, dim, "the input")))
    return failure();
  return give(type.getElement(), type.getDims());
}

LogicalResult Inference::broadcast(Value input, ArrayAttr along) {
  NamedTensorType type = typeOf(input);
  SmallVector<StringAttr> dims(type.getDims());
  llvm::append_range(dims, namesIn(along));
  return give(type.getElement(), dims);
}

LogicalResult Inference::regroup(Value input, ArrayAttr from, ArrayAttr to) {
  NamedTensorType type = typeOf(input);
  SmallVector<StringAttr> gone = namesIn(from);
  if (gone.empty())
    return fail("`from` is empty");
  for (size_t i = 0; i < gone.size(); ++i)
    if (llvm::is_contained(ArrayRef(gone).take_front(i), gone[i]))
      return fail("`from` has '" + gone[i].getValue() + "' twice");
  if (failed(needs(type, gone, "the input")))
    return failure();
  return give(type.getElement(), replaced(type.getDims(), gone, namesIn(to)));
}

LogicalResult Inference::part(Value input, StringAttr dim, StringAttr part) {
  NamedTensorType type = typeOf(input);
  if (failed(needs(type, dim, "the input")))
    return failure();
  return give(type.getElement(), replaced(type.getDims(), dim, part));
}

LogicalResult Inference::pick(Value input, StringAttr dim) {
  NamedTensorType type = typeOf(input);
  if (failed(needs(type, dim, "the input")))
    return failure();
  return give(type.getElement(), without(type.getDims(), dim));
}

LogicalResult Inference::gather(Value input, StringAttr dim, Value index) {
  NamedTensorType type = typeOf(input), indexType = typeOf(index);
  if (failed(needs(type, dim, "the input")) || failed(takes(indexType, Whole)))
    return failure();
  // The index's dimensions stand where `dim` stood, so a table look-up gives rows: [batch, seq,
  // model].
  SmallVector<StringAttr> dims;
  for (StringAttr each : type.getDims()) {
    if (each != dim) {
      dims.push_back(each);
      continue;
    }
    for (StringAttr added : indexType.getDims())
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

LogicalResult Inference::stack(StringAttr dim, ValueRange inputs) {
  FailureOr<SmallVector<NamedTensorType>> all = tensors(inputs);
  if (failed(all) || all->empty())
    return fail("stack takes one tensor or more");
  if (failed(sameElement(*all)))
    return failure();
  SmallVector<StringAttr> dims = unionOfDims(*all);
  dims.push_back(dim);
  return give(all->front().getElement(), dims);
}

LogicalResult Inference::concat(StringAttr dim, ArrayAttr parts, ValueRange inputs) {
  FailureOr<SmallVector<NamedTensorType>> all = tensors(inputs);
  if (failed(all) || all->empty())
    return fail("concat takes one tensor or more");
  if (parts.size() != all->size())
    return fail("as many parts as inputs are needed");
  if (failed(sameElement(*all)))
    return failure();
  SmallVector<StringAttr> dims;
  for (auto [type, part] : llvm::zip(*all, parts.getAsRange<StringAttr>())) {
    if (failed(needs(type, part, "the input of part '" + part.str() + "'")))
      return failure();
    if (part != dim && type.has(dim))
      return fail("an input has '" + dim.getValue() + "' beside its part");
    dims = with(dims, replaced(type.getDims(), part, dim));
  }
  return give(all->front().getElement(), dims);
}
