// Sizes of dimensions with the derived ones replaced by their equations.
#include "ir/model/Dimensions.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

Dimensions::Dimensions(ModuleOp module) {
  for (auto dim : module.getOps<DimOp>()) {
    if (auto size = dim.getSizeAttr())
      sizes[dim.getSymName()] = size.getValue();
    if (auto bound = dim.getBoundAttr())
      bounds[dim.getSymName()] = bound.getValue();
  }
}

Size Dimensions::normal(const Size &size) const {
  Size result = size;
  // Equations may stand on others (`patch = row * col`, `row = height / ph`); they cannot be
  // circular.
  for (unsigned round = 0; round < 64; ++round) {
    Size next = result.substitute([&](const std::string &name) -> std::optional<Size> {
      auto at = sizes.find(name);
      return at == sizes.end() ? std::nullopt : std::optional<Size>(at->second);
    });
    if (next == result)
      return result;
    result = next;
  }
  return result;
}

Size Dimensions::size(StringRef dim) const {
  return normal(Size::dim(dim.str()));
}

Size Dimensions::product(ArrayRef<StringAttr> dims) const {
  Size result = Size::number(1);
  for (StringAttr dim : dims)
    result = result * size(dim);
  return result;
}

int64_t model::elementBytes(NamedTensorType type) {
  return type.isBool() ? 1 : 4;
}

Size Dimensions::bytes(NamedTensorType type) const {
  return product(type.getDims()) * Size::number(elementBytes(type));
}

int64_t Dimensions::nominal(const Size &size) const {
  auto value = [&](const std::string &name) -> std::optional<int64_t> {
    auto bound = bounds.find(name);
    if (bound != bounds.end())
      if (auto known = normal(bound->second).constant())
        return known;
    return 64;
  };
  return normal(size).evaluate(value).value_or(0);
}
