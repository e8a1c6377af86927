// A side of a product as a tensor.
#include "codegen/gpu/contraction/TensorTiles.h"

using namespace llvm;

namespace weft::gpu {

bool beginsTensor(ArrayRef<unsigned> alignments, unsigned buffer) {
  return buffer < alignments.size() && alignments[buffer] % cuda::tensorAlignment == 0;
}

TensorOfMap tensorOf(Frame frame, unsigned buffer, const cuda::TensorSide &side,
                     std::pair<unsigned, unsigned> box) {
  IRBuilderBase &b = frame.builder;
  constexpr unsigned bytes = 2;
  // A dimension of none is refused; no tile of such a tensor is ever copied.
  auto extent = [&](const Size &size) {
    return b.CreateBinaryIntrinsic(Intrinsic::smax, frame.emission.size(b, size, frame.sizes),
                                   b.getInt64(1));
  };
  auto dimOf = [&](const std::optional<Walk::Group> &group, unsigned box) -> TensorOfMap::Dim {
    if (!group) // one element, however far the next one would be
      return {b.getInt64(1), b.getInt64(cuda::tensorAlignment), box};
    Value *stride = frame.emission.size(b, group->stride, frame.sizes);
    // Where rows have no elements, there are none to be copied either.
    stride = b.CreateBinaryIntrinsic(Intrinsic::smax, b.CreateNSWMul(stride, b.getInt64(bytes)),
                                     b.getInt64(cuda::tensorAlignment));
    return {extent(group->extent), stride, box};
  };
  TensorOfMap tensor = {frame.buffer(buffer), {}, bytes, unsigned(Swizzle::bytes128)};
  tensor.dims.push_back(dimOf(side.alongDepth ? side.depth : side.across, box.first));
  tensor.dims.push_back(dimOf(side.alongDepth ? side.across : side.depth, box.second));
  for (const Walk::Group &group : reverse(side.batch))
    if (group.stride != Size::number(0))
      tensor.dims.push_back(dimOf(group, 1));
  return tensor;
}

SmallVector<Value *> coordinatesOf(Frame frame, const cuda::TensorSide &side, Value *batch,
                                   Value *across, Value *deep) {
  IRBuilderBase &b = frame.builder;
  SmallVector<Value *> result = {side.alongDepth ? deep : across, side.alongDepth ? across : deep};
  Value *rest = batch;
  for (const Walk::Group &group : reverse(side.batch)) {
    bool isLast = &group == side.batch.begin();
    Value *extent = frame.emission.size(b, group.extent, frame.sizes);
    Value *place = isLast ? rest : b.CreateURem(rest, extent);
    if (!isLast)
      rest = b.CreateUDiv(rest, extent);
    if (group.stride != Size::number(0))
      result.push_back(b.CreateTrunc(place, b.getInt32Ty()));
  }
  return result;
}

} // namespace weft::gpu
