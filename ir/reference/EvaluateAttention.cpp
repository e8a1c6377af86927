// Attention and its gradient, composed of contractions and softmax.
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

Tensor Evaluator::scaled(Tensor input, double factor) {
  Floats out = input.array->floats();
  for (double &x : out)
    x *= factor;
  return tensor(input.type, {input.array->shape, std::move(out)});
}

Tensor Evaluator::scores(Tensor q, Tensor k, ArrayRef<DimAttr> depth, double scale) {
  return scaled(contract(q, k, without(with(q.dims(), k.dims()), depth)), scale);
}

Array Evaluator::softmaxGradient(Tensor weights, Tensor gradient, DimAttr over) {
  return weighed(weights, gradient, contract(weights, gradient, without(weights.dims(), over)));
}

// weights * (gradient - sum)
Array Evaluator::weighed(Tensor weights, Tensor gradient, Tensor sum) {
  const Floats &w = weights.array->floats(), &g = gradient.array->floats(),
               &s = sum.array->floats();
  Array result{weights.array->shape, Floats()};
  Floats &out = std::get<Floats>(result.data);
  walk<3>(result.shape,
          {sizes.strides(weights.dims(), weights.dims()),
           sizes.strides(gradient.dims(), weights.dims()),
           sizes.strides(sum.dims(), weights.dims())},
          [&](auto at) { out.push_back(w[at[0]] * (g[at[1]] - s[at[2]])); });
  return result;
}

std::vector<Tensor> Evaluator::attention(AttentionOp op) {
  Tensor v = get(op.getV());
  DimAttr key = op.getKeyAttr();
  std::optional<Tensor> mask = op.getMask() ? std::optional(get(op.getMask())) : std::nullopt;
  Tensor all =
      scores(get(op.getQ()), get(op.getK()), op.getDepth(), op.getScale().convertToDouble());
  Tensor weights = softmax(all, mask, key);
  return {contract(weights, v, typeOf(op.getOutput()).getDims()), logSumExp(all, mask, key)};
}

std::vector<Tensor> Evaluator::attentionGrad(AttentionGradOp op) {
  Tensor q = get(op.getQ()), k = get(op.getK()), v = get(op.getV());
  Tensor gradient = get(op.getGradient());
  DimAttr key = op.getKeyAttr();
  double scale = op.getScale().convertToDouble();
  std::optional<Tensor> mask = op.getMask() ? std::optional(get(op.getMask())) : std::nullopt;
  Tensor weights = softmax(scores(q, k, op.getDepth(), scale), mask, key);

  Tensor dWeights = contract(gradient, v, weights.dims());
  // sum[key](weights * dWeights), by way of the output, which is as its kernel has stored it.
  Tensor sum = contract(get(op.getOutput()), gradient, without(weights.dims(), key));
  Tensor dScores = tensor(weights.type, weighed(weights, dWeights, sum));
  return {scaled(contract(dScores, k, q.dims()), scale),
          scaled(contract(dScores, q, k.dims()), scale), contract(weights, gradient, v.dims())};
}
