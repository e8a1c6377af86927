// Names and sizes of the module's dimensions.
#include "frontend/lower/session/DimTable.h"

#include <fmt/format.h>

namespace weft::lower {

DimTable::DimTable(mlir::MLIRContext *context, const Configuration &configuration)
    : context(context) {
  for (const Dimension &dim : configuration.dims)
    add(dim.name, {{}, dim.definition, dim.size, dim.bound, dim.parts, {}, dim.name, false});
}

DimAttr DimTable::add(const std::string &wanted, Entry entry) {
  std::string name = wanted;
  for (int n = 1; byName.contains(name); ++n)
    name = fmt::format("{}_{}", wanted, n);
  entry.name = DimAttr::get(context, name);
  if (!entry.origin)
    entry.origin = entry.name;
  byName[name] = entries.size();
  indices[entry.name] = entries.size();
  entries.push_back(std::move(entry));
  return entries.back().name;
}

DimAttr DimTable::ofProgram(llvm::StringRef name) {
  auto found = byName.find(std::string_view(name));
  if (found == byName.end())
    return {};
  use(entries[found->second]);
  return entries[found->second].name;
}

DimAttr DimTable::local(const ast::DimDef &def, KnownSize size, std::vector<std::string> parts) {
  // In undefined dimensions: no input has one that is defined by an equation, or made by a call.
  size.polynomial = size.polynomial.substitute([&](const std::string &name) {
    auto found = byName.find(name);
    return found == byName.end() ? std::nullopt
                                 : std::optional(entries[found->second].size.polynomial);
  });
  for (Entry &entry : entries)
    if (entry.definition == &def && entry.size.polynomial == size.polynomial &&
        entry.parts == parts) {
      use(entry);
      return entry.name;
    }
  DimAttr name =
      add(def.name.text, {{}, &def, size, {}, std::move(parts), {}, def.name.text, false});
  use(entries.back());
  return name;
}

DimAttr DimTable::fresh(DimAttr dim, llvm::ArrayRef<DimAttr> taken) {
  const Entry &like = get(dim);
  DimAttr origin = like.origin;
  for (Entry &entry : entries)
    if (entry.origin == origin && entry.name != origin && !entry.definition &&
        !llvm::is_contained(taken, entry.name)) {
      use(entry);
      return entry.name;
    }
  DimAttr name = add(origin.str(), {{}, nullptr, like.size, {}, {}, origin, like.written, false});
  use(entries.back());
  return name;
}

DimAttr DimTable::merged(llvm::ArrayRef<DimAttr> dims) {
  std::string wanted, written;
  for (DimAttr dim : dims) {
    wanted += (wanted.empty() ? "" : "_") + dim.str();
    written += (written.empty() ? "(" : ", ") + get(dim).written;
  }
  KnownSize product = KnownSize::of(1);
  for (DimAttr dim : dims)
    product.polynomial = product.polynomial * get(dim).size.polynomial;
  product.number = product.polynomial.constant();
  if (auto found = byName.find(wanted); found != byName.end())
    if (Entry &entry = entries[found->second];
        !entry.definition && entry.size.polynomial == product.polynomial) {
      use(entry);
      return entry.name;
    }
  DimAttr name = add(wanted, {{}, nullptr, product, {}, {}, {}, written + ")", false});
  use(entries.back());
  return name;
}

KnownSize DimTable::size(DimAttr dim) const {
  const Entry &entry = get(dim);
  if (entry.size.number)
    return entry.size;
  return {std::nullopt, Size::dim(dim.getValue())};
}

KnownSize DimTable::size(llvm::ArrayRef<DimAttr> dims) const {
  KnownSize product = KnownSize::of(1);
  for (DimAttr dim : dims)
    product.polynomial = product.polynomial * size(dim).polynomial;
  product.number = product.polynomial.constant();
  return product;
}

DimList DimTable::parts(DimAttr dim) const {
  return llvm::map_to_vector(get(dim).parts,
                             [&](const std::string &part) { return DimAttr::get(context, part); });
}

std::vector<std::string> DimTable::sources(DimAttr dim) const {
  return get(dim).size.polynomial.dims();
}

const ast::DimDef *DimTable::definition(DimAttr dim) const {
  return get(dim).definition;
}

void DimTable::use(Entry &entry) {
  if (entry.used)
    return;
  entry.used = true;
  use(entry.parts);
  use(entry.size.polynomial.dims());
  if (entry.bound)
    use(entry.bound->dims());
}

void DimTable::use(const std::vector<std::string> &names) {
  for (const std::string &name : names)
    if (auto found = byName.find(name); found != byName.end())
      use(entries[found->second]);
}

void DimTable::declare(mlir::OpBuilder &builder,
                       const std::function<mlir::Location(Span, llvm::StringRef)> &locate) {
  for (const Entry &entry : entries) {
    if (!entry.used)
      continue;
    mlir::Location loc = entry.definition ? locate(entry.definition->span, entry.written)
                                          : mlir::NameLoc::get(builder.getStringAttr(entry.written),
                                                               builder.getUnknownLoc());
    auto attribute = [&](const std::optional<Size> &size) {
      return size ? model::SizeAttr::get(context, *size) : model::SizeAttr();
    };
    bool undefined =
        !entry.size.number && entry.size.polynomial == Size::dim(entry.name.getValue());
    model::DimOp::create(builder, loc, entry.name,
                         undefined ? model::SizeAttr() : attribute(entry.size.polynomial),
                         attribute(entry.bound), parts(entry.name));
  }
}

} // namespace weft::lower
