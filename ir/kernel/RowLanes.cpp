// Along which dimensions of a rows kernel the lanes lie.
#include "ir/kernel/RowProgram.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace weft::model;

namespace weft::kernel {

namespace {

/// The dimensions of which some op uses positions: they cannot be collapsed with others.
llvm::SetVector<DimAttr> namedByOps(FusedOp op) {
  llvm::SetVector<DimAttr> names;
  op.getBody().walk([&](Positional inner) { names.insert_range(inner.positional()); });
  return names;
}

class Chooser {
public:
  explicit Chooser(const LaneChoice &choice) : choice(choice), named(namedByOps(choice.op)) {}

  DimList choose() {
    DimAttr inner = innermost();
    if (!inner)
      return {};
    DimList lanes{inner};
    auto *at = llvm::find(choice.loops, inner);
    while (at != choice.loops.begin() && collapses(*std::prev(at), lanes))
      lanes.insert(lanes.begin(), *--at);
    return lanes;
  }

private:
  /// The number of elements; a size that is not static counts as 64.
  double elements(LayoutAttr layout) const {
    double count = 1;
    for (DimAttr dim : layout.getDims())
      count *= double(choice.table.known(dim.getValue()).value_or(64));
    return count;
  }

  // The dimension along which the tensors with the most elements are contiguous; results count
  // twice, for they are written.
  DimAttr innermost() {
    DimAttr best;
    double bestScore = -1;
    for (DimAttr dim : choice.loops) {
      double score = 0;
      for (auto [i, attribute] : llvm::enumerate(choice.op.getLayoutsAttr())) {
        auto layout = cast<LayoutAttr>(attribute);
        std::optional<Size> stride = layout.stride(dim);
        if (stride && choice.table.known(*stride) == 1)
          score += elements(layout) * (i < choice.op.getNumOperands() ? 1 : 2);
      }
      if (score >= bestScore) { // on ties the later one, which is the inner one
        best = dim;
        bestScore = score;
      }
    }
    return best;
  }

  /// Whether `dim` and the dimension after it can be collapsed into one, in every operand and
  /// result.
  bool collapses(DimAttr dim, const DimList &lanes) {
    DimAttr next = lanes.front();
    if (named.contains(dim) || named.contains(next))
      return false;
    if (llvm::is_contained(choice.outer, dim) != llvm::is_contained(choice.outer, next))
      return false;
    auto together = [&](ArrayRef<DimAttr> dims) {
      return llvm::is_contained(dims, dim) == llvm::is_contained(dims, next);
    };
    for (Operation *reduction : choice.reductions)
      if (!together(reducedBy(reduction)) || !together(dimsOf(reduction->getOperand(0))))
        return false;
    for (Value value : choice.op.getBody().front().getTerminator()->getOperands())
      if (!together(dimsOf(value)))
        return false;
    for (Attribute attribute : choice.op.getLayoutsAttr()) {
      auto layout = cast<LayoutAttr>(attribute);
      std::optional<Size> outer = layout.stride(dim), inner = layout.stride(next);
      if (outer.has_value() != inner.has_value())
        return false;
      if (outer &&
          choice.table.folded(*outer) != choice.table.folded(*inner * Size::dim(next.getValue())))
        return false;
    }
    return true;
  }

  LaneChoice choice;
  llvm::SetVector<DimAttr> named;
};

} // namespace

DimList chooseLanes(const LaneChoice &choice) {
  return Chooser(choice).choose();
}

} // namespace weft::kernel
