// The sides of a kernel's products as tensors.
#include "codegen/gpu/contraction/TensorOperands.h"

using namespace llvm;

namespace weft::gpu {

static bool same(const std::optional<Walk::Group> &one, const std::optional<Walk::Group> &other) {
  return one.has_value() == other.has_value() &&
         (!one || (one->extent == other->extent && one->stride == other->stride));
}

bool TensorOperands::Operand::operator==(const Operand &other) const {
  return number == other.number && box == other.box && side.alongDepth == other.side.alongDepth &&
         same(side.across, other.side.across) && same(side.depth, other.side.depth) &&
         equal(side.batch, other.side.batch,
               [](const Walk::Group &x, const Walk::Group &y) { return same(x, y); });
}

TensorOperands::TensorOperands(cuda::KernelCase kernel, const ContractionForm &form,
                               const GroupTiles &tiles)
    : kernel(kernel), form(form), tiles(tiles) {
  for (const Segment &segment : form.segments)
    for (const Sum &sum : segment.sums)
      for (const Term &term : sum.terms)
        for (Operand each : {sideOf(term.left(), form.rows, term.k, true),
                             sideOf(term.right(), segment.columns, term.k, false)})
          if (!is_contained(all, each))
            all.push_back(each);
}

TensorOperands::Operand TensorOperands::sideOf(mlir::Value value, ArrayRef<DimAttr> across,
                                               ArrayRef<DimAttr> depth, bool isLeft) const {
  std::string why;
  auto side = cuda::tensorSideOf(kernel, value, form.batch, across, depth, why);
  assert(side && "the schedule was checked");
  return {cast<mlir::BlockArgument>(value).getArgNumber(), *side,
          isLeft ? tiles.leftBox(side->alongDepth) : tiles.rightBox(side->alongDepth)};
}

unsigned TensorOperands::numberOf(const Operand &operand) const {
  return unsigned(find(all, operand) - all.begin());
}

unsigned TensorOperands::left(const Segment &, const Term &term) const {
  return numberOf(sideOf(term.left(), form.rows, term.k, true));
}

unsigned TensorOperands::right(const Segment &segment, const Term &term) const {
  return numberOf(sideOf(term.right(), segment.columns, term.k, false));
}

bool TensorOperands::begin(ArrayRef<unsigned> alignments) const {
  return all_of(all, [&](const Operand &each) {
    return each.number < alignments.size() && alignments[each.number] % cuda::tensorAlignment == 0;
  });
}

SmallVector<TensorOfMap> TensorOperands::tensors(Frame frame) const {
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
  SmallVector<TensorOfMap> result;
  for (const Operand &each : all) {
    const cuda::TensorSide &side = each.side;
    TensorOfMap tensor = {frame.buffer(each.number), {}, bytes, unsigned(Swizzle::bytes128)};
    tensor.dims.push_back(dimOf(side.alongDepth ? side.depth : side.across, each.box.first));
    tensor.dims.push_back(dimOf(side.alongDepth ? side.across : side.depth, each.box.second));
    for (const Walk::Group &group : reverse(side.batch))
      if (group.stride != Size::number(0))
        tensor.dims.push_back(dimOf(group, 1));
    result.push_back(std::move(tensor));
  }
  return result;
}

SmallVector<Value *> TensorOperands::coordinates(Frame frame, unsigned number, Value *batch,
                                                 Value *across, Value *deep) const {
  IRBuilderBase &b = frame.builder;
  const cuda::TensorSide &side = all[number].side;
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
