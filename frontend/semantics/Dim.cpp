// Sets of dimensions, their table and their scopes.
#include "frontend/semantics/Dim.h"

#include <algorithm>
#include <set>

namespace weft::sema {

bool contains(const Dims &dims, const Dim *dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

bool covers(const Dims &dims, const Dim *dim) {
  return std::any_of(dims.begin(), dims.end(), [&](const Dim *d) { return same(d, dim); });
}

Dims beyond(const Dims &dims, const Dims &other) {
  Dims out;
  for (const Dim *dim : dims)
    if (!covers(other, dim))
      out.push_back(dim);
  return out;
}

Dims unite(const Dims &a, const Dims &b) {
  std::set<const Dim *> seen;
  Dims rests, others;
  for (const Dims *side : {&a, &b})
    for (const Dim *dim : *side)
      if (seen.insert(dim).second)
        (dim->isRest() ? rests : others).push_back(dim);
  rests.insert(rests.end(), others.begin(), others.end());
  return rests;
}

Dims without(const Dims &dims, const Dims &removed) {
  Dims out;
  for (const Dim *dim : dims)
    if (!contains(removed, dim))
      out.push_back(dim);
  return out;
}

const Dim *repeated(const Dims &dims) {
  std::set<const Dim *> seen;
  for (const Dim *dim : dims)
    if (!seen.insert(dim).second)
      return dim;
  return nullptr;
}

Size product(const Dims &dims) {
  Size size = Size::number(1);
  for (const Dim *dim : dims)
    size = multiply(size, dim->size);
  return size;
}

bool anyBroken(const Dims &dims) {
  return std::any_of(dims.begin(), dims.end(), [](const Dim *dim) { return dim->broken; });
}

std::string name(const Dim *dim) {
  return dim->isRest() ? ".." : dim->name;
}

std::string show(const Dims &dims) {
  if (dims.empty())
    return "";
  std::string text;
  bool rest = false;
  for (const Dim *dim : dims) {
    if (dim->isRest() && rest)
      continue;
    rest |= dim->isRest();
    text += (text.empty() ? "" : ", ") + name(dim);
  }
  return "[" + text + "]";
}

std::string quoteGroup(const Dims &dims) {
  std::string text;
  for (const Dim *dim : dims)
    text += (text.empty() ? "" : ", ") + name(dim);
  return dims.size() == 1 ? text : "(" + text + ")";
}

Dim *DimTable::make(Dim::Kind kind, std::string name, Span place) {
  Dim &dim = dims.emplace_back();
  dim.kind = kind;
  dim.place = place;
  std::string atom = name;
  if (kind != Dim::Kind::file)
    atom += "$" + std::to_string(dims.size());
  dim.name = std::move(name);
  dim.size = Size::dim(atom);
  return &dim;
}

const Size *DimTable::bound(const std::string &atom) const {
  auto it = bounds.find(atom);
  return it == bounds.end() ? nullptr : &it->second;
}

void DimTable::setBound(Dim *dim, Size bound) {
  bounds[dim->size.str()] = bound;
  dim->bound = std::move(bound);
}

const Dim *DimScope::find(std::string_view name) const {
  for (const DimScope *scope = this; scope; scope = scope->outer)
    if (const Dim *dim = scope->findHere(name))
      return dim;
  return nullptr;
}

const Dim *DimScope::findHere(std::string_view name) const {
  auto it = here.find(name);
  return it == here.end() ? nullptr : it->second;
}

std::vector<std::string> DimScope::names() const {
  std::vector<std::string> out;
  for (const DimScope *scope = this; scope; scope = scope->outer)
    for (const auto &[name, dim] : scope->here)
      out.push_back(name);
  return out;
}

} // namespace weft::sema
