// Strides through views.
#include "ir/kernel/Places.h"
#include "ir/model/Entries.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using kernel::LayoutAttr;

bool weft::isView(Operation *op) {
  return (op->hasTrait<View>() && !isa<ArrangeOp>(op)) || isCacheWrite(op);
}

bool weft::isBlockExit(Operation *op) {
  return isa<AssignOp>(op) || (op->hasTrait<OpTrait::IsTerminator>() && !isa<kernel::YieldOp>(op));
}

bool weft::isCacheWrite(Operation *op) {
  auto insert = dyn_cast_or_null<InsertPartOp>(op);
  Value into = insert ? insert.getInto() : Value();
  while (auto argument = dyn_cast_if_present<BlockArgument>(into)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto function = dyn_cast<func::FuncOp>(owner))
      return bool(function.getArgAttr(argument.getArgNumber(), attr::cache));
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

/// The insertion into a cache that a use is, with nothing but mergers of dimensions in between.
static InsertPartOp cacheWriteBy(OpOperand &use) {
  auto merger = dyn_cast<RegroupOp>(use.getOwner());
  if (merger && merger.getTo().size() == 1 && merger->hasOneUse())
    return cacheWriteBy(*merger->use_begin());
  bool isInput = isCacheWrite(use.getOwner()) && use.getOperandNumber() == 0;
  return isInput ? cast<InsertPartOp>(use.getOwner()) : InsertPartOp();
}

InsertPartOp weft::cacheWriteOf(Value value) {
  auto kernel = value.getDefiningOp<kernel::FusedOp>();
  auto writes = {kernel::Family::rows, kernel::Family::contraction, kernel::Family::pack};
  if (!kernel || !llvm::is_contained(writes, kernel.getFamily()))
    return {};
  InsertPartOp write;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    InsertPartOp into = cacheWriteBy(use);
    if (into && !write && into->getBlock() == kernel->getBlock())
      write = into;
    else if (into || isCacheWrite(user) || !(isView(user) || isa<kernel::FusedOp>(user)))
      return {}; // also used elsewhere
  }
  return write;
}

// By result; kernels without have none.
static constexpr llvm::StringLiteral pitchesName = "pitches";

int64_t weft::pitchOf(Value root) {
  auto maker = root.getDefiningOp<kernel::FusedOp>();
  auto pitches = maker ? maker->getAttrOfType<DenseI64ArrayAttr>(pitchesName) : DenseI64ArrayAttr();
  size_t number = maker ? cast<OpResult>(root).getResultNumber() : 0;
  return pitches && number < size_t(pitches.size()) ? pitches[number] : 0;
}

void weft::setPitch(OpResult root, int64_t pitch) {
  auto maker = cast<kernel::FusedOp>(root.getOwner());
  SmallVector<int64_t> all = llvm::map_to_vector(maker->getResults(), pitchOf);
  all[root.getResultNumber()] = pitch;
  if (llvm::all_of(all, [](int64_t each) { return each == 0; }))
    maker->removeAttr(pitchesName);
  else
    maker->setAttr(pitchesName, DenseI64ArrayAttr::get(maker.getContext(), all));
}

LayoutAttr Places::rowMajor(NamedTensorType type, int64_t pitch) const {
  SmallVector<Size> strides(type.getDims().size());
  Size stride = Size::number(1);
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = stride;
    bool isRow = pitch > 0 && i + 1 == strides.size();
    stride = stride * (isRow ? Size::number(pitch) : sizes.size(type.getDims()[i]));
  }
  return LayoutAttr::get(type.getContext(), type.getDims(), strides);
}

Size Places::room(Value root) const {
  ArrayRef<DimAttr> dims = typeOf(root).getDims();
  int64_t pitch = pitchOf(root);
  return pitch ? sizes.size(dims.drop_back()) * Size::number(pitch) : sizes.size(dims);
}

// (a, b) as (c, d): collapsed to one dimension first, then expanded again.
std::optional<Place> Places::regrouped(Place place, ArrayRef<DimAttr> from,
                                       ArrayRef<DimAttr> to) const {
  // A value that is constant along all of `from` is constant along `to`.
  std::optional<Size> last = place.layout.stride(from.back());
  for (DimAttr dim : from)
    if (place.layout.stride(dim).has_value() != last.has_value())
      return std::nullopt;
  DimList dims;
  SmallVector<Size> strides;
  for (auto [dim, stride] : llvm::zip(place.layout.getDims(), place.layout.getStrides()))
    if (!llvm::is_contained(from, dim)) {
      dims.push_back(dim);
      strides.push_back(stride);
    }
  if (last) {
    for (size_t i = from.size(); i-- > 1;)
      if (!(*place.layout.stride(from[i - 1]) ==
            *place.layout.stride(from[i]) * sizes.size(from[i])))
        return std::nullopt;
    Size stride = *last;
    SmallVector<Size> cut(to.size());
    for (size_t i = to.size(); i-- > 0;) {
      cut[i] = stride;
      stride = stride * sizes.size(to[i]);
    }
    llvm::append_range(dims, to);
    strides.append(cut);
  }
  place.layout = LayoutAttr::get(place.layout.getContext(), dims, strides);
  return place;
}

// The layout with `dim` renamed to `name`, or without it if there is no name.
static LayoutAttr without(LayoutAttr layout, DimAttr dim, DimAttr name) {
  DimList dims;
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
  DimList dims(typeOf(write.getInput()).getDims());
  SmallVector<Size> strides;
  for (DimAttr dim : dims)
    strides.push_back(*cache->layout.stride(dim == write.getPartAttr() ? write.getDimAttr() : dim));
  Size first = sizes.resolve(write.getOffset().getValue());
  std::optional<Place> place =
      Place{cache->root, LayoutAttr::get(rows.getContext(), dims, strides),
            cache->offset + *cache->layout.stride(write.getDimAttr()) * first};
  // Merges between the value and the insertion are undone.
  for (Value value = write.getInput(); place && value != rows;) {
    auto merger = value.getDefiningOp<RegroupOp>();
    place = regrouped(*place, merger.getTo(), merger.getFrom());
    value = merger.getInput();
  }
  return place;
}

std::optional<Place> Places::of(Value value) const {
  if (InsertPartOp write = cacheWriteOf(value))
    return rowsOf(write, value);
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return Place{value, rowMajor(cast<NamedTensorType>(value.getType()), pitchOf(value)), Size()};
  if (auto view = dyn_cast<RegroupOp>(op)) {
    std::optional<Place> place = of(view.getInput());
    return place ? regrouped(*place, view.getFrom(), view.getTo()) : std::nullopt;
  }
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
      place->offset = place->offset + *stride * sizes.resolve(view.getOffset().getValue());
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
