// How an address moves as one index runs over several dimensions.
#include "codegen/cpu/Walk.h"

using namespace llvm;

namespace weft::cpu {

bool Walk::still() const {
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

Value *Walk::offset(IRBuilderBase &builder, Emission &emission, Value *index, Value *sizes) const {
  Value *sum = builder.getInt64(0);
  Value *rest = index;
  for (size_t i = groups.size(); i-- > 0;) {
    Value *position = rest;
    if (i > 0) {
      Value *extent = emission.size(builder, groups[i].extent, sizes);
      position = builder.CreateURem(rest, extent);
      rest = builder.CreateUDiv(rest, extent);
    }
    if (groups[i].stride == Size::number(0))
      continue;
    Value *stride = emission.size(builder, groups[i].stride, sizes);
    sum = builder.CreateNSWAdd(sum, builder.CreateNSWMul(position, stride));
  }
  return sum;
}

Walk walkOver(const Emission &emission, kernel::LayoutAttr layout,
              ArrayRef<mlir::StringAttr> dims) {
  auto folded = [&](const Size &size) {
    return size.substitute([&](const std::string &name) -> std::optional<Size> {
      auto at = emission.dims.dims.find(name);
      if (at == emission.dims.dims.end() || !at->second.size)
        return std::nullopt;
      return Size::number(*at->second.size);
    });
  };
  Walk walk;
  for (mlir::StringAttr dim : dims) {
    Size extent = folded(Size::dim(dim.getValue()));
    if (extent == Size::number(1))
      continue;
    Size stride = folded(layout.stride(dim).value_or(Size::number(0)));
    if (!walk.groups.empty() && walk.groups.back().stride == stride * extent) {
      walk.groups.back().extent = walk.groups.back().extent * extent;
      walk.groups.back().stride = stride;
    } else {
      walk.groups.push_back({extent, stride});
    }
  }
  return walk;
}

Size sizeOf(ArrayRef<mlir::StringAttr> dims) {
  Size product = Size::number(1);
  for (mlir::StringAttr dim : dims)
    product = product * Size::dim(dim.getValue());
  return product;
}

} // namespace weft::cpu
