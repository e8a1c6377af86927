// Loops over dimensions in which values of a rows kernel are evaluated.
#include "codegen/rows/RowNest.h"

using namespace llvm;

namespace weft::rows {

const Place *RowNest::at(Value *position, DimAttr dim) {
  Place place;
  place.base = position;
  place.level = scopes.innermost();
  place.loop = dim;
  return evaluator.intern(place);
}

const Place *RowNest::start(DimAttr dim) {
  const Place *&known = starts[dim];
  if (!known) {
    Place place;
    place.base = builder.getInt64(0);
    place.loop = dim;
    known = evaluator.intern(place);
  }
  return known;
}

void RowNest::over(ArrayRef<DimAttr> dims, ArrayRef<RowFrame> frames,
                   function_ref<void(ArrayRef<RowFrame>)> body) {
  overShare(dims, frames, builder.getInt64(0), builder.getInt64(1), body);
}

void RowNest::overShare(ArrayRef<DimAttr> dims, ArrayRef<RowFrame> frames, Value *first,
                        Value *step, function_ref<void(ArrayRef<RowFrame>)> body,
                        int64_t together) {
  if (dims.empty())
    return body(frames);
  DimAttr dim = dims.front();
  if (dims.size() > 1) {
    scopes.loop(builder.getInt64(0), evaluator.extent(dim), builder.getInt64(1), [&](Value *index) {
      const Place *place = at(index, dim);
      SmallVector<RowFrame> inside(frames);
      for (RowFrame &frame : inside)
        frame = frame.with(dim, place);
      overShare(dims.drop_front(), inside, first, step, body, together);
    });
    return;
  }
  auto run = [&](Value *low, Value *high, int64_t count) {
    Value *by = builder.CreateNSWMul(step, builder.getInt64(count));
    scopes.loop(low, high, by, [&](Value *index) {
      SmallVector<RowFrame> inside;
      for (int64_t number = 0; number < count; ++number) {
        Value *ahead = builder.CreateNSWMul(step, builder.getInt64(number));
        const Place *place = at(number ? builder.CreateNSWAdd(index, ahead) : index, dim);
        for (const RowFrame &frame : frames)
          inside.push_back(frame.with(dim, place));
      }
      body(inside);
    });
  };
  Value *end = evaluator.extent(dim);
  if (together > 1) {
    // Where there are no positions, the quotient of what is below 0 is 0, for `first` is below
    // `step`.
    Value *by = builder.CreateNSWMul(step, builder.getInt64(together));
    Value *groups = builder.CreateSDiv(builder.CreateNSWSub(end, first), by);
    Value *whole = builder.CreateNSWAdd(first, builder.CreateNSWMul(groups, by));
    run(first, whole, together);
    first = whole;
  }
  run(first, end, 1);
}

RowFrame RowNest::row(ArrayRef<DimAttr> dims, Value *row) {
  RowFrame frame;
  for (DimAttr dim : reverse(dims)) {
    bool last = dim == dims.front();
    Value *position = last ? row : builder.CreateURem(row, evaluator.extent(dim));
    if (!last)
      row = builder.CreateUDiv(row, evaluator.extent(dim));
    frame = frame.with(dim, at(position, dim));
  }
  return frame;
}

void RowNest::alongLanes(DimAttr dim, unsigned lanes, const RowFrame &frame, Body body) {
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

OrderedKernel::OrderedKernel(const RowProgram &program, DimAttr lanesAlong, Frame frame,
                             Numbers numbers)
    : builder(frame.builder),
      context{program,     frame.emission, numbers, lanesAlong ? frame.emission.lanes : 1,
              frame.sizes, frame.buffers},
      scopes(builder), buffers(bufferTensors(frame, program.op)),
      evaluator(builder, scopes, context, buffers), loops(builder, scopes, evaluator) {}

DimAttr besideEachOther(kernel::FusedOp op, ArrayRef<DimAttr> dims, const Emission &emission) {
  auto layout = cast<kernel::LayoutAttr>(op.getLayoutsAttr().getValue().back());
  for (DimAttr dim : dims)
    if (auto stride = layout.stride(dim); stride && emission.known(*stride) == 1)
      return dim;
  return {};
}

} // namespace weft::rows
