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

/// `function` of each element of `all` and that of `part`, floats or switches, at its position.
Tensor Evaluator::combined(Tensor all, Tensor part,
                           llvm::function_ref<double(double, double)> function) {
  Floats out = all.array->floats();
  auto join = [&](const auto &with) {
    walk<2>(all.array->shape,
            {sizes.strides(all.dims(), all.dims()), sizes.strides(part.dims(), all.dims())},
            [&](auto at) { out[at[0]] = function(out[at[0]], double(with[at[1]])); });
  };
  if (part.type.isFloat())
    join(part.array->floats());
  else
    join(part.array->as<Switches>());
  return tensor(all.type, {all.array->shape, std::move(out)});
}

template <typename Op> Evaluator::Scoring Evaluator::scoringOf(Op op) {
  return {attentionOf(op), op.getScale().convertToDouble(), op.getCap().convertToDouble(),
          op.getKeepFactor().convertToDouble(), op.getCappedBias()};
}

Evaluator::Scores Evaluator::scores(const Scoring &scoring) {
  Tensor q = get(scoring.of.q), k = get(scoring.of.k);
  Tensor all =
      scaled(contract(q, k, without(with(q.dims(), k.dims()), scoring.of.depth)), scoring.scale);
  auto addBias = [&](bool capped) {
    if (scoring.of.bias && scoring.cappedBias == capped)
      all = combined(all, get(scoring.of.bias), [](double x, double bias) { return x + bias; });
  };
  addBias(true);
  std::optional<Tensor> slope;
  if (double cap = scoring.cap; cap != 0) {
    slope = changed(all, [&](double x) {
      double capped = std::tanh(x / cap);
      return 1 - capped * capped;
    });
    all = changed(all, [&](double x) { return cap * std::tanh(x / cap); });
  }
  addBias(false);
  return {all, slope};
}

Tensor Evaluator::dropped(const Scoring &scoring, Tensor weights) {
  if (!scoring.of.keep)
    return weights;
  return combined(weights, get(scoring.of.keep),
                  [&](double x, double kept) { return kept != 0 ? x * scoring.keepFactor : 0; });
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
  Scoring scoring = scoringOf(op);
  Tensor v = get(op.getV());
  DimAttr key = op.getKeyAttr();
  std::optional<Tensor> mask = given(op.getMask());
  Tensor all = scores(scoring).all;
  Tensor weights = dropped(scoring, softmax(all, mask, key));
  bool narrows = op.getNarrowWeights();
  Tensor lse = logSumExp(all, mask, key);
  return {weighted(weights, v, typeOf(op.getOutput()).getDims(), narrows),
          narrows && narrow.bounds ? changed(lse, [](double) { return 0.0; }) : lse};
}

std::vector<Tensor> Evaluator::attentionGrad(AttentionGradOp op) {
  Scoring scoring = scoringOf(op);
  Tensor q = get(op.getQ()), k = get(op.getK()), v = get(op.getV());
  Tensor gradient = get(op.getGradient());
  DimAttr key = op.getKeyAttr();
  auto [all, slope] = scores(scoring);
  Tensor weights = softmax(all, given(op.getMask()), key);

  Tensor dWeights = dropped(scoring, contract(gradient, v, weights.dims()));
  // sum[key](weights * dWeights), by way of the output, which is as its kernel has stored it.
  Tensor sum = contract(get(op.getOutput()), gradient, without(weights.dims(), key));
  Tensor dScores = tensor(weights.type, weighed(weights, dWeights, sum)), dProducts = dScores;
  if (slope)
    dProducts = combined(dScores, *slope, [](double x, double by) { return x * by; });
  bool narrows = op.getNarrowWeights();
  double factor = narrows && narrow.bounds ? std::abs(scoring.scale) : scoring.scale;
  std::vector<Tensor> results = {scaled(weighted(dProducts, k, q.dims(), narrows), factor),
                                 scaled(weighted(dProducts, q, k.dims(), narrows), factor),
                                 weighted(dropped(scoring, weights), gradient, v.dims(), narrows)};
  if (op.getBias()) {
    // As a sum of products by 1.
    Tensor one = tensor(typeOver({}), {{}, Floats{1}});
    results.push_back(
        contract(op.getCappedBias() ? dProducts : dScores, one, typeOf(op.getBias()).getDims()));
  }
  return results;
}
