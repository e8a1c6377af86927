// Resolves the sizes of declared dimensions down to those that come with the data.
#include "ir/model/Dims.h"

#include "ir/model/StorageType.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

Dims::Dims(ModuleOp module) : Dims(llvm::to_vector(module.getOps<DimOp>())) {}

Dims::Dims(ArrayRef<DimOp> dims) : ops(dims) {
  for (DimOp op : ops) {
    SizeAttr size = op.getSizeAttr();
    sizes[op.getSymName()] = size ? size.getValue() : Size::dim(op.getSymName());
    if (SizeAttr bound = op.getBoundAttr())
      bounds[op.getSymName()] = bound.getValue();
    if (op.getOrEmpty())
      empty.insert(op.getSymName());
  }
  // Definitions may stand in any order; a chain is at most as long as there are dimensions, and a
  // circle stops there.
  for (size_t round = 0; round < ops.size(); ++round) {
    bool changed = false;
    for (auto &entry : sizes) {
      Size resolved = resolve(entry.second);
      changed |= resolved != entry.second;
      entry.second = std::move(resolved);
    }
    if (!changed)
      return;
  }
}

Size Dims::size(StringRef name) const {
  auto found = sizes.find(name);
  return found == sizes.end() ? Size::dim(std::string_view(name)) : found->second;
}

Size Dims::size(ArrayRef<DimAttr> dims) const {
  Size product = Size::number(1);
  for (DimAttr dim : dims)
    product = product * size(dim);
  return product;
}

Size Dims::resolve(const Size &size) const {
  return size.substitute([&](const std::string &name) { return std::optional(this->size(name)); });
}

std::optional<Size> Dims::bound(StringRef name) const {
  auto found = bounds.find(name);
  return found == bounds.end() ? std::nullopt : std::optional(found->second);
}

bool Dims::mayBeEmpty(StringRef name) const {
  return empty.contains(name);
}

int64_t weft::model::elementBytes(NamedTensorType type) {
  return bytesOf(storageTypeOf(type.getElement()), 1);
}

Size Dims::bytes(NamedTensorType type) const {
  return size(type.getDims()) * Size::number(elementBytes(type));
}

int64_t Dims::nominal(const Size &size) const {
  auto value = [&](const std::string &name) -> std::optional<int64_t> {
    auto bound = bounds.find(name);
    if (bound != bounds.end())
      if (auto known = resolve(bound->second).constant())
        return known;
    return 64;
  };
  return resolve(size).evaluate(value).value_or(0);
}

std::optional<std::string> weft::model::nameOf(Location location) {
  while (true) {
    if (auto call = dyn_cast<CallSiteLoc>(location))
      location = call.getCallee();
    else if (auto fused = dyn_cast<FusedLoc>(location))
      location = fused.getLocations().front();
    else
      break;
  }
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  return std::nullopt;
}

std::string weft::model::written(Operation *op, DimAttr dim) {
  auto module = op->getParentOfType<ModuleOp>();
  auto declared = module ? module.lookupSymbol<DimOp>(dim) : DimOp();
  return declared ? nameOf(declared.getLoc()).value_or(dim.str()) : dim.str();
}

Location weft::model::withName(Location location, llvm::StringRef name) {
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return CallSiteLoc::get(withName(call.getCallee(), name), call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    SmallVector<Location> parts(fused.getLocations());
    parts.front() = withName(parts.front(), name);
    return FusedLoc::get(location.getContext(), parts, fused.getMetadata());
  }
  if (auto named = dyn_cast<NameLoc>(location))
    location = named.getChildLoc();
  return NameLoc::get(StringAttr::get(location.getContext(), name), location);
}
