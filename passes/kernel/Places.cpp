// Strides through views.
#include "passes/kernel/Places.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using kernel::LayoutAttr;

bool weft::isView(Operation *op) { return isa<RegroupOp, PartOp, PickOp, BroadcastOp>(op); }

LayoutAttr Places::dense(NamedTensorType type) const {
  SmallVector<Size> strides(type.getDims().size());
  Size stride = Size::number(1);
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = stride;
    stride = stride * dimensions.size(type.getDims()[i]);
  }
  return LayoutAttr::get(type.getContext(), type.getDims(), strides);
}

static SmallVector<StringAttr> names(ArrayAttr dims) {
  return llvm::to_vector(dims.getAsRange<StringAttr>());
}

// (a, b) as (c, d): merged to one run of positions first, then cut again.
std::optional<Place> Places::regroup(RegroupOp op) const {
  std::optional<Place> place = of(op.getInput());
  if (!place)
    return std::nullopt;
  SmallVector<StringAttr> from = names(op.getFrom()), to = names(op.getTo());
  // A value that is constant along all of `from` is constant along `to`.
  std::optional<Size> last = place->layout.stride(from.back());
  for (StringAttr dim : from)
    if (place->layout.stride(dim).has_value() != last.has_value())
      return std::nullopt;
  SmallVector<StringAttr> dims;
  SmallVector<Size> strides;
  for (auto [dim, stride] : llvm::zip(place->layout.getDims(), place->layout.getStrides()))
    if (!llvm::is_contained(from, dim)) {
      dims.push_back(dim);
      strides.push_back(stride);
    }
  if (last) {
    for (size_t i = from.size(); i-- > 1;)
      if (!(*place->layout.stride(from[i - 1]) ==
            *place->layout.stride(from[i]) * dimensions.size(from[i])))
        return std::nullopt;
    Size stride = *last;
    SmallVector<Size> cut(to.size());
    for (size_t i = to.size(); i-- > 0;) {
      cut[i] = stride;
      stride = stride * dimensions.size(to[i]);
    }
    dims.append(to);
    strides.append(cut);
  }
  return Place{place->root, LayoutAttr::get(op.getContext(), dims, strides), place->offset};
}

// `dim` leaves the layout, or is called `name` from now on.
static LayoutAttr without(LayoutAttr layout, StringAttr dim, StringAttr name) {
  SmallVector<StringAttr> dims;
  SmallVector<Size> strides;
  for (auto [each, stride] : llvm::zip(layout.getDims(), layout.getStrides())) {
    if (each == dim && !name)
      continue;
    dims.push_back(each == dim ? name : each);
    strides.push_back(stride);
  }
  return LayoutAttr::get(layout.getContext(), dims, strides);
}

std::optional<Place> Places::of(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return Place{value, dense(cast<NamedTensorType>(value.getType())), Size()};
  if (auto view = dyn_cast<RegroupOp>(op))
    return regroup(view);
  if (auto view = dyn_cast<BroadcastOp>(op)) {
    // Along the new dimensions there is no stride: every position is the same element.
    return of(view.getInput());
  }
  if (auto view = dyn_cast<PartOp>(op)) {
    std::optional<Place> place = of(view.getInput());
    if (!place)
      return std::nullopt;
    std::optional<Size> stride = place->layout.stride(view.getDimAttr());
    if (stride)
      place->offset = place->offset + *stride * dimensions.normal(view.getOffset().getValue());
    place->layout = without(place->layout, view.getDimAttr(), view.getPartAttr());
    return place;
  }
  auto view = cast<PickOp>(op);
  std::optional<Place> place = of(view.getInput());
  if (!place)
    return std::nullopt;
  std::optional<Size> stride = place->layout.stride(view.getDimAttr());
  if (stride)
    place->offset = place->offset + *stride * Size::number(view.getPosition());
  place->layout = without(place->layout, view.getDimAttr(), {});
  return place;
}
