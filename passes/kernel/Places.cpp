// Strides through views.
#include "passes/kernel/Places.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using kernel::LayoutAttr;

bool weft::isView(Operation *op) {
  return isa<RegroupOp, PartOp, PickOp, BroadcastOp>(op) || isCacheWrite(op);
}

bool weft::isCacheWrite(Operation *op) {
  auto insert = dyn_cast_or_null<InsertPartOp>(op);
  Value into = insert ? insert.getInto() : Value();
  while (auto argument = dyn_cast_if_present<BlockArgument>(into)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto function = dyn_cast<func::FuncOp>(owner))
      return bool(function.getArgAttr(argument.getArgNumber(), "weft.cache"));
    auto repeat = dyn_cast<RepeatOp>(owner);
    if (!repeat || argument.getArgNumber() < repeat.getNumCarried())
      return false;
    into = repeat.getSlices()[argument.getArgNumber() - repeat.getNumCarried()];
  }
  return false;
}

bool weft::isCache(Value value) {
  if (auto repeat = value.getDefiningOp<RepeatOp>())
    return isCache(repeat.getYield().getValues()[cast<OpResult>(value).getResultNumber()]);
  return isCacheWrite(value.getDefiningOp());
}

InsertPartOp weft::cacheWriteOf(Value value) {
  auto kernel = value.getDefiningOp<kernel::FusedOp>();
  if (!kernel || (kernel.getFamily() != kernel::Family::rows &&
                  kernel.getFamily() != kernel::Family::contraction))
    return {};
  InsertPartOp write;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isCacheWrite(user) && !write && use.getOperandNumber() == 0 &&
        user->getBlock() == kernel->getBlock())
      write = cast<InsertPartOp>(user);
    else if (isCacheWrite(user) || !(isView(user) || isa<kernel::FusedOp>(user)))
      return {}; // wanted elsewhere too
  }
  return write;
}

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

std::optional<Place> Places::rowsOf(InsertPartOp write, Value rows) const {
  std::optional<Place> cache = of(write.getInto());
  if (!cache)
    return std::nullopt;
  SmallVector<StringAttr> dims(cast<NamedTensorType>(rows.getType()).getDims());
  SmallVector<Size> strides;
  for (StringAttr dim : dims)
    strides.push_back(*cache->layout.stride(dim == write.getPartAttr() ? write.getDimAttr() : dim));
  Size first = dimensions.normal(write.getOffset().getValue());
  return Place{cache->root, LayoutAttr::get(rows.getContext(), dims, strides),
               cache->offset + *cache->layout.stride(write.getDimAttr()) * first};
}

std::optional<Place> Places::of(Value value) const {
  if (InsertPartOp write = cacheWriteOf(value))
    return rowsOf(write, value);
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return Place{value, dense(cast<NamedTensorType>(value.getType())), Size()};
  if (auto view = dyn_cast<RegroupOp>(op))
    return regroup(view);
  if (auto write = dyn_cast<InsertPartOp>(op))
    return of(write.getInto());
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
