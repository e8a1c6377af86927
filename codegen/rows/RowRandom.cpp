// Random numbers of a rows kernel: where an element has its index.
#include "codegen/rows/RowEvaluator.h"
#include "ir/reference/Random.h"

using namespace llvm;

namespace weft::rows {

/// What the kernel draws from, read once.
const RandomKey &RowEvaluator::randomKey() {
  if (!drawn)
    scopes.at(0, [&] {
      drawn = RandomKey::load(builder, context.buffers, buffers.size());
      return drawn->first;
    });
  return *drawn;
}

Value *RowEvaluator::random(model::RandomOp op, const RowFrame &frame) {
  const RandomKey &key = randomKey();
  Value *index = key.first, *lanes = nullptr;
  auto addLanes = [&](Value *more) { lanes = lanes ? builder.CreateAdd(lanes, more) : more; };
  for (DimAttr dim : dimsOf(op)) {
    const Place &place = *frame.find(dim);
    Value *stride = builder.getInt64(reference::randomStride(std::string_view(dim.getValue())));
    if (place.base)
      index = builder.CreateAdd(index, builder.CreateMul(place.base, stride));
    if (place.step)
      addLanes(
          builder.CreateMul(memory.laneNumbers(), splat(builder.CreateMul(place.step, stride))));
    if (place.lanes)
      addLanes(builder.CreateMul(place.lanes, splat(stride)));
  }
  if (lanes)
    index = builder.CreateAdd(splat(index), lanes);
  return randomUnit(builder, key, reference::randomPath(std::string_view(op.getPath())), index,
                    context.numbers.type(builder.getContext(), model::typeOf(op).getElement()));
}

} // namespace weft::rows
