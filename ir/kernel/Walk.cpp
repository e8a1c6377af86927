// How an address moves as one index runs over several dimensions.
#include "ir/kernel/Walk.h"

using namespace llvm;

namespace weft::kernel {

bool Walk::invariant() const {
  return all_of(groups, [](const Group &group) { return group.stride == Size::number(0); });
}

bool Walk::contiguous() const {
  return groups.empty() || (linear() && stride() == Size::number(1));
}

bool Walk::contiguousBy(unsigned count) const {
  if (contiguous())
    return true;
  const Group &last = groups.back();
  std::optional<int64_t> extent = last.extent.constant();
  return last.stride == Size::number(1) && extent && *extent % count == 0;
}

Walk walkOver(const DimTable &table, LayoutAttr layout, ArrayRef<DimAttr> dims) {
  Walk walk;
  for (DimAttr dim : dims) {
    Size extent = table.folded(Size::dim(dim.getValue()));
    if (extent == Size::number(1))
      continue;
    Size stride = table.folded(layout.stride(dim).value_or(Size::number(0)));
    if (!walk.groups.empty() && walk.groups.back().stride == stride * extent) {
      walk.groups.back().extent = walk.groups.back().extent * extent;
      walk.groups.back().stride = stride;
    } else {
      walk.groups.push_back({extent, stride});
    }
  }
  return walk;
}

bool isMultiple(const Size &size, int64_t number) {
  return !size.isUndefined() && all_of(size.terms(), [&](const auto &term) {
    const auto &[powers, factor] = term;
    // Quotients are whole as a sum, not each for itself.
    return factor.denominator == 1 && factor.numerator % number == 0 &&
           all_of(powers, [](const auto &power) { return power.second > 0; });
  });
}

Size sizeOf(ArrayRef<DimAttr> dims) {
  Size product = Size::number(1);
  for (DimAttr dim : dims)
    product = product * Size::dim(dim.getValue());
  return product;
}

} // namespace weft::kernel
