// The sides of a kernel's products as tensors.
#include "codegen/gpu/contraction/group/TensorOperands.h"

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

unsigned TensorOperands::left(const Term &term) const {
  return numberOf(sideOf(term.left(), form.rows, term.k, true));
}

unsigned TensorOperands::right(const Segment &segment, const Term &term) const {
  return numberOf(sideOf(term.right(), segment.columns, term.k, false));
}

bool TensorOperands::begin(ArrayRef<unsigned> alignments) const {
  return all_of(all, [&](const Operand &each) { return beginsTensor(alignments, each.number); });
}

SmallVector<TensorOfMap> TensorOperands::tensors(Frame frame) const {
  SmallVector<TensorOfMap> result;
  for (const Operand &each : all)
    result.push_back(tensorOf(frame, each.number, each.side, each.box));
  return result;
}

SmallVector<Value *> TensorOperands::coordinates(Frame frame, unsigned number, Value *batch,
                                                 Value *across, Value *deep) const {
  return coordinatesOf(frame, all[number].side, batch, across, deep);
}

} // namespace weft::gpu
