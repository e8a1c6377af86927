// The dimensions of a program as its kernels take them.
#include "ir/kernel/DimTable.h"

namespace weft::kernel {

DimTable DimTable::of(mlir::ModuleOp module) {
  DimTable table;
  for (auto dim : module.getOps<model::DimOp>()) {
    Entry &entry = table.dims[dim.getSymName()];
    entry.number = table.dims.size() - 1;
    if (auto size = dim.getSizeAttr())
      entry.size = size.getValue().constant();
  }
  return table;
}

std::optional<int64_t> DimTable::known(llvm::StringRef dim) const {
  auto at = dims.find(dim);
  return at == dims.end() ? std::nullopt : at->second.size;
}

std::optional<int64_t> DimTable::known(const Size &size) const {
  return size.evaluate([&](const std::string &name) { return known(llvm::StringRef(name)); });
}

Size DimTable::folded(const Size &size) const {
  return size.substitute([&](const std::string &name) -> std::optional<Size> {
    std::optional<int64_t> value = known(llvm::StringRef(name));
    return value ? std::optional(Size::number(*value)) : std::nullopt;
  });
}

} // namespace weft::kernel
