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

/// What a gradient of attention's second result, the logsumexp of the scores, adds to those of q
/// and k.
static void addLse(GradientBuilder build, AttentionOp op, Value of, Gradients &inputs) {
  Value scores = build.scale(op.getScale().convertToDouble(),
                             build.make<ContractOp>(op.getDepth(), op.getQ(), op.getK()));
  Value weights = build.make<ExpOp>(build.sub(scores, op.getLse()));
  Value gradient = build.scale(op.getScale().convertToDouble(), build.mul(weights, of));
  if (op.getMask())
    gradient = build.where(op.getMask(), gradient, build.number(0));
  inputs[0] = build.add(inputs[0], build.sumTo(gradient, op.getK(), op.getQ()));
  inputs[1] = build.add(inputs[1], build.sumTo(gradient, op.getQ(), op.getK()));
}

Gradients AttentionOp::gradients(OpBuilder &builder, ValueRange of) {
  GradientBuilder build(builder, *this);
  Value output =
      of[0] ? build.shaped(of[0], typeOf(getOutput())) : build.zeros(typeOf(getOutput()));
  auto gradient =
      AttentionGradOp::create(builder, getLoc(), getKeyAttr(), getDepthAttr(), getQ(), getK(),
                              getV(), getMask(), getOutput(), getLse(), output, getScaleAttr());
  Gradients inputs(gradient.getResults());
  if (of[1])
    addLse(build, *this, of[1], inputs);
  if (getMask())
    inputs.push_back(Value());
  return inputs;
}
