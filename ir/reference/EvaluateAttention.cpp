// Attention and its gradient, composed of contractions and softmax.
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

Tensor Evaluator::changed(Tensor input, llvm::function_ref<double(double)> function) {
  Floats out = input.array->floats();
  llvm::transform(out, out.begin(), function);
  return tensor(input.type, {input.array->shape, std::move(out)});
}

Tensor Evaluator::scaled(Tensor input, double factor) {
  return changed(input, [&](double x) { return x * factor; });
}

Tensor Evaluator::weighted(Tensor numbers, Tensor by, ArrayRef<DimAttr> dims, bool narrows) {
  if (!narrows)
    return contract(numbers, by, dims);
  if (!narrow.bounds)
    return contract(changed(numbers, narrow.round), by, dims);
  auto size = [&](Tensor all) { return changed(all, [](double x) { return std::abs(x); }); };
  // This side rounds, and so does the other.
  return scaled(contract(size(numbers), size(by), dims), 2 * model::bfloat16Roundoff);
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
  bool narrows = op.getNarrowWeights();
  Tensor lse = logSumExp(all, mask, key);
  return {weighted(weights, v, typeOf(op.getOutput()).getDims(), narrows),
          narrows && narrow.bounds ? changed(lse, [](double) { return 0.0; }) : lse};
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
  bool narrows = op.getNarrowWeights();
  double factor = narrows && narrow.bounds ? std::abs(scale) : scale;
  return {scaled(weighted(dScores, k, q.dims(), narrows), factor),
          scaled(weighted(dScores, q, k.dims(), narrows), factor),
          weighted(weights, gradient, v.dims(), narrows)};
}
