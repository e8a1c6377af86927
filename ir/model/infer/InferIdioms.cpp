// Types of the idioms: contraction, softmax, normalization, attention.
#include "ir/model/infer/Infer.h"

using namespace mlir;
using namespace weft::model;

LogicalResult Inference::contract(ArrayRef<DimAttr> over, Value lhs, Value rhs) {
  NamedTensorType a = typeOf(lhs), b = typeOf(rhs);
  if (failed(takes(a, Float)) || failed(takes(b, Float)) || failed(needs(a, over, "the left")) ||
      failed(needs(b, over, "the right")))
    return failure();
  return give(a.getElement(), without(with(a.getDims(), b.getDims()), over));
}

LogicalResult Inference::softmax(DimAttr over, Value input, Value mask) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float)) || failed(needs(type, over, "the input")))
    return failure();
  if (mask && (failed(takes(typeOf(mask), Switch)) ||
               failed(needs(type, typeOf(mask).getDims(), "the input, unlike the mask,"))))
    return failure();
  return give(type.getElement(), type.getDims());
}

LogicalResult Inference::softmaxGrad(DimAttr over, Value weights, Value gradient) {
  NamedTensorType w = typeOf(weights), g = typeOf(gradient);
  if (failed(takes(w, Float)) || failed(takes(g, Float)) || failed(needs(w, over, "weights")) ||
      failed(sameDims(g, w.getDims(), "the gradient")))
    return failure();
  return give(w.getElement(), w.getDims());
}

LogicalResult Inference::logSumExp(DimAttr over, Value input) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float)) || failed(needs(type, over, "the input")))
    return failure();
  return give(type.getElement(), without(type.getDims(), over));
}

LogicalResult Inference::normalize(ArrayRef<DimAttr> over, Value input) {
  NamedTensorType type = typeOf(input);
  if (failed(takes(type, Float)) || failed(needs(type, over, "the input")))
    return failure();
  return give(type.getElement(), type.getDims());
}

LogicalResult Inference::normalizeGrad(ArrayRef<DimAttr> over, Value input, Value gradient) {
  NamedTensorType g = typeOf(gradient);
  if (failed(takes(g, Float)) || failed(sameDims(g, typeOf(input).getDims(), "the gradient")))
    return failure();
  return normalize(over, input);
}

FailureOr<DimList> Inference::scores(AttentionOperands op) {
  NamedTensorType q = typeOf(op.q), k = typeOf(op.k), v = typeOf(op.v);
  for (NamedTensorType type : {q, k, v})
    if (failed(takes(type, Float)))
      return failure();
  if (failed(needs(q, op.depth, "q")) || failed(needs(k, op.depth, "k")) ||
      failed(needs(k, op.key, "k")) || failed(needs(v, op.key, "v")))
    return failure();
  if (llvm::is_contained(op.depth, op.key))
    return fail("the key dimension cannot be contracted between q and k");
  if (q.has(op.key))
    return fail("q has the key dimension '" + op.key.getValue() + "'");
  DimList scores = without(with(q.getDims(), k.getDims()), op.depth);
  struct Beside {
    Value value;
    Elements elements;
    StringRef name;
  };
  for (const Beside &each :
       {Beside{op.mask, Switch, "the mask"}, Beside{op.bias, Float, "the bias"},
        Beside{op.keep, Switch, "what is kept"}}) {
    if (!each.value)
      continue;
    if (failed(takes(typeOf(each.value), each.elements)))
      return failure();
    for (DimAttr dim : typeOf(each.value).getDims())
      if (!llvm::is_contained(scores, dim))
        return fail(each.name + " has dimension '" + dim.getValue() + "', the scores have not");
  }
  return scores;
}

LogicalResult Inference::attention(AttentionOperands op) {
  FailureOr<DimList> dims = scores(op);
  if (failed(dims))
    return failure();
  DimList rows = without(*dims, op.key);
  NamedTensorType v = typeOf(op.v);
  if (failed(give(v.getElement(), with(rows, without(v.getDims(), op.key)))))
    return failure();
  return give(v.getElement(), rows);
}

LogicalResult Inference::attentionGrad(AttentionOperands op, Value output, Value lse,
                                       Value gradient) {
  FailureOr<DimList> dims = scores(op);
  if (failed(dims))
    return failure();
  DimList rows = without(*dims, op.key);
  DimList results = with(rows, without(typeOf(op.v).getDims(), op.key));
  for (Value value : {output, lse, gradient})
    if (failed(takes(typeOf(value), Float)))
      return failure();
  if (failed(sameDims(typeOf(output), results, "the output")) ||
      failed(sameDims(typeOf(lse), rows, "lse")) ||
      failed(sameDims(typeOf(gradient), results, "the gradient")))
    return failure();
  for (Value value : {op.q, op.k, op.v, op.bias})
    if (value && failed(give(typeOf(value).getElement(), typeOf(value).getDims())))
      return failure();
  return success();
}
