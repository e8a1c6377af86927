// What follows from what was set: options in the order of their names, sizes in that of their
// equations.
#include "frontend/configure/Configurator.h"

#include "frontend/syntax/Mentions.h"
#include "frontend/syntax/Ordering.h"

#include <fmt/format.h>

namespace weft {

void Configurator::settleOptions() {
  std::vector<const ast::Setting *> all;
  std::map<std::string_view, size_t> number;
  for (auto &[name, declared] : options) {
    number[name] = all.size();
    all.push_back(declared);
  }
  std::vector<std::vector<size_t>> uses(all.size());
  for (size_t i = 0; i < all.size(); ++i)
    for (const ast::Name *name : mentions(*all[i]->value).variables)
      if (auto used = number.find(name->text); used != number.end())
        uses[i].push_back(used->second);
  for (size_t i : dependenciesFirst(uses).order) {
    const ast::Setting *declared = all[i];
    const std::string &name = declared->name.text;
    if (std::optional<Static> value = option(name))
      chosen.try_emplace(name, *value);
    else
      diagnostics
          .error(Code::E0607, declared->value->span,
                 fmt::format("option `{}` must be known at build time", name))
          .suggest("it is made of numbers, switches, functions and other options");
  }
}

std::optional<KnownSize> Configurator::size(const std::string &name, Span use) {
  if (auto found = known.find(name); found != known.end())
    return found->second;
  auto definition = definitions.find(name);
  if (definition == definitions.end() || !resolving.insert(name).second) {
    diagnostics.error(Code::E0610, use,
                      definition == definitions.end()
                          ? fmt::format("unknown dimension `{}`", name)
                          : fmt::format("the size of `{}` is defined by itself", name));
    return std::nullopt;
  }
  const ast::DimDef &def = *definition->second;
  auto lookup = [&](const ast::Name &n) { return size(n.text, n.span); };
  std::optional<KnownSize> size;
  if (def.size) {
    size = evaluateSize(*def.size, lookup, report());
  } else if (!def.parts.empty()) {
    size = KnownSize::of(0);
    for (const ast::Name &part : def.parts) {
      auto one = lookup(part);
      if (size && one)
        size->polynomial = size->polynomial + one->polynomial;
      else
        size.reset();
    }
    if (size)
      size->number = size->polynomial.constant();
  } else if (auto number = given.find(name); number != given.end()) {
    size = KnownSize::of(number->second);
  } else {
    size = KnownSize{std::nullopt, Size::dim(name)};
  }
  if (size && size->number && (*size->number < 1 || *size->number > maxDimension)) {
    diagnostics
        .error(Code::E0603, def.span, fmt::format("the size of `{}` is {}", name, *size->number))
        .suggest(fmt::format("a size is from 1 to {}: change what it is made of", maxDimension));
    size.reset();
  }
  resolving.erase(name);
  known[name] = size;
  return size;
}

void Configurator::checkBound(const Dimension &dim) {
  const ast::DimDef &def = *dim.definition;
  auto bound =
      evaluateSize(*def.bound, [&](const ast::Name &n) { return size(n.text, n.span); }, report());
  if (bound && bound->number && *bound->number < 1)
    diagnostics
        .error(Code::E0603, def.span,
               fmt::format("`{}` would be at most {}", dim.name, *bound->number))
        .suggest("a bound is at least 1: change what it is made of");
  else if (bound && bound->number && dim.size.number && *dim.size.number > *bound->number)
    diagnostics
        .error(Code::E0606, def.span,
               fmt::format("`{}` is {}, but at most {} is allowed", dim.name, *dim.size.number,
                           *bound->number))
        .suggest(fmt::format("`{}={}`, or a larger bound", dim.name, *bound->number));
}

void Configurator::settleDims() {
  std::map<std::string_view, size_t> number;
  for (const Dimension &dim : result.dims)
    number.emplace(dim.name, number.size());
  std::vector<std::vector<size_t>> uses(result.dims.size());
  for (size_t i = 0; i < uses.size(); ++i)
    for (const ast::Name *name : namesIn(*result.dims[i].definition))
      if (auto used = number.find(name->text); used != number.end())
        uses[i].push_back(used->second);
  // What an equation names is known before it is read: a chain is as long as a file allows.
  for (size_t i : dependenciesFirst(uses).order)
    (void)size(result.dims[i].name, result.dims[i].definition->name.span);

  for (Dimension &dim : result.dims) {
    const ast::DimDef &def = *dim.definition;
    for (const ast::Name &part : def.parts)
      dim.parts.push_back(part.text);
    if (auto known = size(dim.name, def.name.span))
      dim.size = *known;
    if (!def.bound)
      continue;
    checkBound(dim);
    if (auto named = evaluateSize(
            *def.bound,
            [](const ast::Name &n) { return KnownSize{std::nullopt, Size::dim(n.text)}; },
            report()))
      dim.bound = named->polynomial;
  }
}

} // namespace weft
