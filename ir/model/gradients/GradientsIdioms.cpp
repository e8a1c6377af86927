// Gradients of the idioms, each one op again so that it can be one kernel.
#include "ir/model/gradients/Gradients.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

// d contract(a, b) is two contractions.
Gradients ContractOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return {build.sumTo(of[0], getRhs(), getLhs()), build.sumTo(of[0], getLhs(), getRhs())};
}

// The mask selects: what is not kept gets exactly 0.
Gradients SoftmaxOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value gradient = build.shaped(of[0], typeOf(getResult()));
  Value input = build.make<SoftmaxGradOp>(getOverAttr(), getResult(), gradient);
  if (!getMask())
    return {input};
  return {build.where(getMask(), input, build.number(0)), Value()};
}

// d logsumexp(x) = softmax(x). Not exp(x - logsumexp(x)): where x is large, little precision is
// left in the difference.
Gradients LogSumExpOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  return {build.mul(build.make<SoftmaxOp>(getOverAttr(), getInput(), Value()), of[0])};
}

Gradients NormalizeOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value gradient = build.shaped(of[0], typeOf(getInput()));
  return {build.make<NormalizeGradOp>(getOverAttr(), getInput(), gradient, getEpsAttr(),
                                      getCenteredAttr())};
}

/// What a gradient of attention's second result, the logsumexp of the scores, adds to those of q, k
/// and the bias.
static void addLse(GradientBuilder build, AttentionOp op, Value of, Gradients &inputs,
                   std::optional<unsigned> bias) {
  double cap = op.getCap().convertToDouble();
  Value scores = build.scale(op.getScale().convertToDouble(),
                             build.make<ContractOp>(op.getDepth(), op.getQ(), op.getK()));
  Value slope;
  if (op.getBias() && op.getCappedBias())
    scores = build.add(scores, op.getBias());
  if (cap != 0) {
    Value capped = build.make<TanhOp>(build.scale(1 / cap, scores));
    slope = build.sub(build.number(1), build.mul(capped, capped));
    scores = build.scale(cap, capped);
  }
  if (op.getBias() && !op.getCappedBias())
    scores = build.add(scores, op.getBias());
  Value gradient = build.mul(build.make<ExpOp>(build.sub(scores, op.getLse())), of);
  if (op.getMask())
    gradient = build.where(op.getMask(), gradient, build.number(0));
  Value product = slope ? build.mul(gradient, slope) : gradient;
  if (bias)
    inputs[*bias] = build.add(inputs[*bias], build.sumTo(op.getCappedBias() ? product : gradient,
                                                         typeOf(product).getDims(), op.getBias()));
  product = build.scale(op.getScale().convertToDouble(), product);
  inputs[0] = build.add(inputs[0], build.sumTo(product, op.getK(), op.getQ()));
  inputs[1] = build.add(inputs[1], build.sumTo(product, op.getQ(), op.getK()));
}

Gradients AttentionOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value output =
      of[0] ? build.shaped(of[0], typeOf(getOutput())) : build.zeros(typeOf(getOutput()));
  auto gradient = AttentionGradOp::create(
      builder, getLoc(), getKeyAttr(), getDepthAttr(), getQ(), getK(), getV(), getMask(), getBias(),
      getKeep(), getOutput(), getLse(), output, getScaleAttr(), getCapAttr(), getKeepFactorAttr(),
      getCappedBiasAttr(), getNarrowWeightsAttr());
  // In the order of the operands, of which switches have no gradient.
  Gradients inputs = {gradient.getDq(), gradient.getDk(), gradient.getDv()};
  std::optional<unsigned> bias;
  if (getMask())
    inputs.push_back(Value());
  if (getBias()) {
    bias = inputs.size();
    inputs.push_back(gradient.getDbias());
  }
  if (getKeep())
    inputs.push_back(Value());
  if (of[1])
    addLse(build, *this, of[1], inputs, bias);
  return inputs;
}
