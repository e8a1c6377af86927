// Declares the dimensions of `advance`.
#include "passes/model/decode/VersionDims.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

VersionDims::VersionDims(ModuleOp module, const Causality &causality, const Dims &dims,
                         DimAttr time)
    : module(module), causality(causality), time(time) {
  std::optional<Size> bound;
  if (auto declared = module.lookupSymbol<DimOp>(time); declared && declared.getBoundAttr())
    bound = dims.resolve(declared.getBoundAttr().getValue());
  known = declare("known", {}, {});
  cast<DimOp>(module.lookupSymbol(known)).setOrEmpty(true); // before the first call there is none
  fresh = declare("new", {}, {});
  capacity = declare("capacity", {}, bound);
}

DimAttr VersionDims::declare(StringRef name, std::optional<Size> size, std::optional<Size> bound) {
  std::string free = name.str();
  for (unsigned i = 1; SymbolTable::lookupSymbolIn(module, free); ++i)
    free = name.str() + "_" + std::to_string(i);
  OpBuilder builder(module.getContext());
  DimOp last;
  for (auto dim : module.getOps<DimOp>())
    last = dim;
  builder.setInsertionPointAfter(last);
  auto attribute = [&](const std::optional<Size> &value) {
    return value ? SizeAttr::get(module.getContext(), *value) : SizeAttr();
  };
  // It stands nowhere in the source: what is said of it has its name and no line.
  Location loc = NameLoc::get(builder.getStringAttr(free));
  auto made = DimOp::create(builder, loc, DimAttr::get(module.getContext(), free), attribute(size),
                            attribute(bound));
  return made.getDim();
}

static Size sizeOf(DimAttr dim) {
  return Size::dim(dim.getValue());
}

DimAttr VersionDims::of(DimAttr dim, Rows rows) {
  if (dim == time && rows == Rows::fresh)
    return fresh;
  DimAttr &name = names[{dim.str(), rows}];
  if (name)
    return name;
  switch (rows) {
  case Rows::fresh:
    return name = declare(dim.str() + "_new", sizeOf(fresh), {});
  case Rows::last:
    return name = declare(dim == time ? "last" : dim.str() + "_last", Size::number(1), {});
  case Rows::all:
    return name = declare(dim.str() + "_all", sizeOf(known) + sizeOf(fresh), sizeOf(capacity));
  }
  llvm_unreachable("no other rows");
}

Size VersionDims::start(Rows rows) const {
  if (rows == Rows::all)
    return Size();
  return rows == Rows::fresh ? sizeOf(known) : sizeOf(known) + sizeOf(fresh) - Size::number(1);
}

NamedTensorType VersionDims::typed(NamedTensorType type, const Version &version) {
  DimList dims;
  size_t next = 0;
  for (DimAttr dim : type.getDims())
    dims.push_back(causality.grows(dim) ? of(dim, version[next++]) : dim);
  return NamedTensorType::get(type.getContext(), element(type), dims);
}

Type VersionDims::element(NamedTensorType type) {
  DimAttr index = type.indexed();
  return index && causality.grows(index)
             ? DimIndexType::get(type.getContext(), of(index, Rows::all))
             : type.getElement();
}

} // namespace weft::decode
