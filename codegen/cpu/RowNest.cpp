// Loops over dimensions in which values of a rows kernel are evaluated.
#include "codegen/cpu/RowNest.h"

using namespace llvm;
using mlir::StringAttr;

namespace weft::cpu {

const Place *RowNest::at(Value *position, StringAttr dim) {
  Place place;
  place.base = position;
  place.level = scopes.innermost();
  place.loop = dim;
  return evaluator.intern(place);
}

void RowNest::over(ArrayRef<StringAttr> dims, const RowFrame &frame, Body body) {
  if (dims.empty())
    return body(frame);
  StringAttr dim = dims.front();
  scopes.loop(builder.getInt64(0), evaluator.extent(dim), builder.getInt64(1), [&](Value *index) {
    over(dims.drop_front(), frame.with(dim, at(index, dim)), body);
  });
}

RowFrame RowNest::row(ArrayRef<StringAttr> dims, Value *row) {
  RowFrame frame;
  for (StringAttr dim : reverse(dims)) {
    bool last = dim == dims.front();
    Value *position = last ? row : builder.CreateURem(row, evaluator.extent(dim));
    if (!last)
      row = builder.CreateUDiv(row, evaluator.extent(dim));
    frame.places.push_back({dim, at(position, dim)});
  }
  return frame;
}

void RowNest::alongLanes(StringAttr dim, unsigned lanes, const RowFrame &frame, Body body) {
  if (!dim)
    return body(frame);
  Value *count = evaluator.extent(dim), *width = builder.getInt64(lanes);
  Value *whole = builder.CreateNSWSub(count, builder.CreateURem(count, width));
  auto vector = [&](Value *index) {
    Place place;
    place.base = index;
    place.step = builder.getInt64(1);
    place.level = scopes.innermost();
    place.loop = dim;
    return frame.with(dim, evaluator.intern(place));
  };
  scopes.loop(builder.getInt64(0), whole, width, [&](Value *index) { body(vector(index)); });
  scopes.loop(whole, count, width, [&](Value *index) {
    RowFrame last = vector(index);
    Value *left = builder.CreateVectorSplat(lanes, builder.CreateNSWSub(count, index));
    last.tail = builder.CreateICmpULT(evaluator.memory.laneNumbers(), left);
    body(last);
  });
}

} // namespace weft::cpu
