// From names that were read to the settings behind them.
#include "frontend/lower/session/Reads.h"

#include "frontend/syntax/Mentions.h"

#include <cmath>

using namespace mlir;

namespace weft::lower {

Attribute attributeOf(const Static &value, OpBuilder &builder) {
  if (auto *truth = std::get_if<bool>(&value))
    return builder.getBoolAttr(*truth);
  auto *number = std::get_if<StaticNumber>(&value);
  if (number && number->whole)
    return builder.getI64IntegerAttr(number->integer);
  if (number && std::isfinite(number->value)) // JSON has no infinity
    return builder.getF64FloatAttr(number->value);
  return builder.getStringAttr(show(value));
}

/// The dimensions with a size of their own that the sizes of `dims` are made of.
static std::set<std::string> sourcesOf(const std::set<std::string> &dims,
                                       const Configuration &configuration) {
  std::set<std::string> seen = dims, sources;
  std::vector<std::string> pending(dims.begin(), dims.end());
  auto add = [&](const std::string &name) {
    if (seen.insert(name).second)
      pending.push_back(name);
  };
  while (!pending.empty()) {
    std::string name = std::move(pending.back());
    pending.pop_back();
    const Dimension *dim = configuration.dim(name);
    if (!dim)
      continue;
    const ast::DimDef &definition = *dim->definition;
    if (!definition.size && definition.parts.empty())
      sources.insert(name);
    if (definition.size)
      for (const ast::Name *other : mentions(*definition.size).variables)
        add(other->text);
    for (const ast::Name &part : definition.parts)
      add(part.text);
  }
  return sources;
}

DictionaryAttr valuesOf(const Reads &reads, const Configuration &configuration,
                        OpBuilder &builder) {
  SmallVector<NamedAttribute> values;
  for (const std::string &name : reads.options)
    values.push_back(
        builder.getNamedAttr(name, attributeOf(configuration.options.find(name)->second, builder)));
  std::set<std::string> given = sourcesOf(reads.given, configuration);
  for (const std::string &name : sourcesOf(reads.dims, configuration))
    if (std::optional<int64_t> size = configuration.dim(name)->size.number;
        size && !given.contains(name))
      values.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(*size)));
  return builder.getDictionaryAttr(values);
}

} // namespace weft::lower
