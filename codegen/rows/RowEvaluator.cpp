// Values of a rows kernel at given positions.
#include "codegen/rows/RowEvaluator.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using mlir::Operation;

namespace weft::rows {

RowEvaluator::RowEvaluator(IRBuilderBase &builder, Scopes &scopes, const RowContext &context,
                           ArrayRef<MemoryTensor> buffers)
    : memory(builder, scopes, context.lanes, context.numbers),
      cells(builder, memory, context.program), builder(builder), scopes(scopes), context(context),
      buffers(buffers) {}

Value *RowEvaluator::size(const Size &size) {
  Value *&known = sizes[size.str()];
  if (!known)
    scopes.at(0, [&] { return known = context.emission.size(builder, size, context.sizes); });
  return known;
}

Value *RowEvaluator::extent(DimAttr dim) {
  return size(Size::dim(dim.getValue()));
}

Value *RowEvaluator::extent(ArrayRef<DimAttr> dims) {
  return size(sizeOf(dims));
}

const Place *RowEvaluator::intern(const Place &place) {
  return &places.emplace_back(place);
}

const Place *RowEvaluator::internLane(Place place) {
  Place &own = places.emplace_back(place);
  if (!own.first)
    own.first = &own;
  return &own;
}

unsigned RowEvaluator::levelOf(mlir::Value v, const RowFrame &frame) const {
  unsigned level = context.program.pass.lookup(v) ? rowLevel : 0;
  for (DimAttr dim : dimsOf(v))
    if (const Place *place = frame.find(dim))
      level = std::max(level, place->level);
  return frame.mask ? std::max(level, frame.maskLevel) : level;
}

Scopes::Key RowEvaluator::keyOf(mlir::Value v, const RowFrame &frame) const {
  SmallVector<const void *, 6> at;
  for (DimAttr dim : dimsOf(v)) {
    const Place *place = frame.find(dim);
    if (!place)
      reportFatalInternalError("no position along `" + dim.getValue() + "` in a rows kernel");
    at.push_back(place);
  }
  return {v.getAsOpaquePointer(), at, frame.mask};
}

bool RowEvaluator::isAtItsLoops(mlir::Value v, const RowFrame &frame) const {
  return !frame.mask &&
         all_of(dimsOf(v), [&](DimAttr dim) { return frame.find(dim)->loop == dim; });
}

Value *RowEvaluator::value(mlir::Value v, const RowFrame &frame) {
  Scopes::Key key = keyOf(v, frame);
  unsigned level = levelOf(v, frame);
  if (Value *known = scopes.known(key, level))
    return known;
  Value *result = scopes.at(level, [&] { return compute(v, frame); });
  scopes.remember(key, level, result);
  return result;
}

void RowEvaluator::define(Operation *reduction, const RowFrame &frame, Value *value) {
  scopes.remember(keyOf(reduction->getResult(0), frame), rowLevel, value);
}

Value *RowEvaluator::fromMemory(Value *raw, mlir::Type element) {
  auto *vector = dyn_cast<VectorType>(raw->getType());
  Type *type = context.numbers.type(builder.getContext(), element);
  if (vector)
    type = VectorType::get(type, vector->getElementCount());
  if (element.isInteger(1))
    return builder.CreateICmpNE(raw, Constant::getNullValue(raw->getType()));
  return element.isF32() ? builder.CreateFPCast(raw, type) : builder.CreateSExtOrTrunc(raw, type);
}

void RowEvaluator::store(unsigned result, ArrayRef<RowFrame> frames) {
  const MemoryTensor &target = buffers[buffers.size() - context.program.yielded.size() + result];
  SmallVector<Value *> computed;
  for (const RowFrame &frame : frames)
    computed.push_back(toMemory(result, frame, target.element.loaded()));
  memory.storeAll(target, computed, frames);
}

Value *RowEvaluator::toMemory(unsigned result, const RowFrame &frame, Type *type) {
  mlir::Value yielded = context.program.yielded[result];
  Value *computed = value(yielded, frame);
  if (auto *vector = dyn_cast<VectorType>(computed->getType()))
    type = VectorType::get(type, vector->getElementCount());
  mlir::Type element = model::typeOf(yielded).getElement();
  if (element.isF32())
    return builder.CreateFPCast(computed, type);
  return element.isInteger(1) ? builder.CreateZExt(computed, type)
                              : builder.CreateSExtOrTrunc(computed, type);
}

Value *RowEvaluator::compute(mlir::Value v, const RowFrame &frame) {
  mlir::Type element = model::typeOf(v).getElement();
  if (auto argument = dyn_cast<mlir::BlockArgument>(v))
    return fromMemory(memory.load(buffers[argument.getArgNumber()], frame), element);
  Operation *op = v.getDefiningOp();
  if (!cells.has(v))
    return computeOp(op, frame);
  if (isReduction(op))
    return fromMemory(cells.load(v, frame, pass), element);
  unsigned first = context.program.cached.lookup(v);
  if (pass < first || !isAtItsLoops(v, frame))
    return computeOp(op, frame);
  if (pass > first)
    return cells.load(v, frame, pass);
  Value *result = computeOp(op, frame);
  cells.store(v, result, frame);
  return result;
}

Value *RowEvaluator::computeOp(Operation *op, const RowFrame &frame) {
  if (isReduction(op))
    reportFatalInternalError("a reduction is read before it is known");
  if (auto index = dyn_cast<model::IndexOp>(op))
    return position(*frame.find(index.getDimAttr()));
  if (auto draw = dyn_cast<model::RandomOp>(op))
    return random(draw, frame);
  if (isa<model::Moving>(op))
    return move(op, frame);
  SmallVector<Value *> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(value(operand, frame));
  return ElementwiseEmitter(builder, context.emission, context.sizes, context.numbers)
      .emit(op, operands);
}

Value *RowEvaluator::position(const Place &place) {
  Type *type = builder.getInt32Ty();
  Value *positions = place.isUniform() ? place.base : lanePositions(place);
  if (auto *vector = dyn_cast<VectorType>(positions->getType()))
    type = VectorType::get(type, vector->getElementCount());
  return builder.CreateTrunc(positions, type);
}

} // namespace weft::rows
