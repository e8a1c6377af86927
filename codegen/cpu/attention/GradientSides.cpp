// What the products of attention's gradient are of: copies of its operands.
#include "codegen/cpu/attention/GradientSides.h"

#include "ir/kernel/storage/PairedPanels.h"

using namespace llvm;

namespace weft::cpu {

static bool areNarrow(kernel::FusedOp op, std::initializer_list<unsigned> operands) {
  return all_of(operands, [&](unsigned operand) {
    return bool(kernel::storageIn(op.getLayoutsAttr()[operand]));
  });
}

// A pair of rows is of one tile.
GradientSides::GradientSides(Frame frame, kernel::FusedOp op, const AttentionForm &form,
                             AttentionGradAttr schedule, double factor)
    : scoresArePairs(frame.emission.pairProducts == PairProducts::words &&
                     areNarrow(op, {form.q, form.k})),
      gradientsArePairs(frame.emission.pairProducts == PairProducts::words &&
                        areNarrow(op, {form.gradient, form.v})),
      weightsArePairs(scoresArePairs && form.narrowWeights && areNarrow(op, {form.gradient}) &&
                      schedule.getRows() % kernel::rowsOfPair == 0),
      b(frame.builder), q(frame, op, form.q, {form.batch, form.rows, form.depth}),
      k(frame, op, form.k, {form.batch, form.keys, form.depth}),
      v(frame, op, form.v, {form.batch, form.keys, form.values}),
      gradient(frame, op, form.gradient, {form.batch, form.rows, form.values}),
      keyBlock(schedule.getKeys()), factor(factor) {}

void GradientSides::takeAreas(ScratchAreas &areas, const Sizes &given) {
  sizes = given;
  auto floats = [&](Value *rows, Value *stride) {
    return areas.floats(b.CreateNSWMul(rows, stride));
  };
  auto halves = [&](bool wanted, Value *rows, Value *stride) -> Value * {
    Value *bytes = b.CreateNSWMul(b.CreateNSWMul(rows, stride), b.getInt64(sizeof(int16_t)));
    return wanted ? areas.bytes(bytes) : nullptr;
  };
  Value *block = b.getInt64(keyBlock);
  gradientRows = floats(sizes.allRows, sizes.valueStride);
  queryHalves = halves(scoresArePairs, sizes.allRows, sizes.depthStride);
  gradientHalves = halves(gradientsArePairs, sizes.allRows, sizes.valueStride);
  queryPairs = halves(weightsArePairs, sizes.allRows, sizes.depthStride);
  gradientPairs = halves(weightsArePairs, sizes.allRows, sizes.valueStride);
  keyPairs = halves(weightsArePairs, block, sizes.depthStride);
  if (!weightsArePairs) {
    scaledQueries = floats(sizes.allRows, sizes.depthStride);
    keyRows = floats(block, sizes.depthStride);
  }
  keyPanels = floats(block, sizes.depth);
  valuePanels = floats(block, sizes.values);
}

void GradientSides::enter(Value *position) {
  for (MatrixView *view : {&q, &k, &v, &gradient})
    view->enter(position);
}

void GradientSides::readRows() const {
  Value *zero = b.getInt64(0), *count = sizes.rows;
  auto number = [&](double value) { return ConstantFP::get(b.getFloatTy(), value); };
  gradient.read({zero, count, gradientRows, sizes.valueStride}, number(1));
  if (scoresArePairs)
    q.copy({zero, count, queryHalves, sizes.depthStride});
  if (gradientsArePairs)
    gradient.copy({zero, count, gradientHalves, sizes.valueStride});
  if (!weightsArePairs)
    return q.read({zero, count, scaledQueries, sizes.depthStride}, number(factor));
  q.readPairs(zero, count, sizes.allRows, queryPairs);
  gradient.readPairs(zero, count, sizes.allRows, gradientPairs);
}

void GradientSides::readKeyPanels(Value *key, Value *count) const {
  k.readPanels(key, count, keyPanels, scoresArePairs);
}

void GradientSides::readKeys(Value *key, Value *count) const {
  readKeyPanels(key, count);
  v.readPanels(key, count, valuePanels, gradientsArePairs);
  if (weightsArePairs)
    k.readPairs(key, count, b.getInt64(keyBlock), keyPairs);
  else
    k.read({key, count, keyRows, sizes.depthStride}, ConstantFP::get(b.getFloatTy(), 1));
}

Value *GradientSides::floatsAt(Value *base, Value *row, Value *stride) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), base, b.CreateNSWMul(row, stride));
}
Value *GradientSides::halvesAt(Value *base, Value *row, Value *stride) const {
  return b.CreateInBoundsGEP(b.getInt16Ty(), base, b.CreateNSWMul(row, stride));
}

Value *GradientSides::queriesOfScores(Value *row) const {
  return scoresArePairs ? halvesAt(queryHalves, row, sizes.depthStride)
                        : floatsAt(scaledQueries, row, sizes.depthStride);
}
Value *GradientSides::gradientsOfWeights(Value *row) const {
  return gradientsArePairs ? halvesAt(gradientHalves, row, sizes.valueStride) : gradientRow(row);
}
Value *GradientSides::gradientRow(Value *row) const {
  return floatsAt(gradientRows, row, sizes.valueStride);
}

GradientSides::Right GradientSides::panelsFrom(Value *base, Value *row, Value *rows) const {
  Value *width = b.getInt64(panelWidth);
  return {halvesAt(base, row, width), b.CreateNSWMul(rows, width)};
}

GradientSides::Right GradientSides::queries(Value *row) const {
  if (weightsArePairs)
    return panelsFrom(queryPairs, row, sizes.allRows);
  return {floatsAt(scaledQueries, row, sizes.depthStride), sizes.depthStride};
}
GradientSides::Right GradientSides::gradients(Value *row) const {
  if (weightsArePairs)
    return panelsFrom(gradientPairs, row, sizes.allRows);
  return {gradientRow(row), sizes.valueStride};
}
GradientSides::Right GradientSides::keys(Value *key) const {
  if (weightsArePairs)
    return panelsFrom(keyPairs, key, b.getInt64(keyBlock));
  return {floatsAt(keyRows, key, sizes.depthStride), sizes.depthStride};
}

} // namespace weft::cpu
