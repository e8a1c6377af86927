// Elements: how they widen, and how types are written.
#include "frontend/semantics/Type.h"

namespace weft::sema {

std::string show(Element element) {
  switch (element.kind) {
  case Element::Kind::real:
    return "float";
  case Element::Kind::integer:
    return "int";
  case Element::Kind::boolean:
    return "bool";
  case Element::Kind::index:
    return element.dim->name;
  }
  return "float";
}

bool widens(Element found, Element wanted) {
  if (found == wanted)
    return true;
  if (found.isBool() || wanted.isBool() || wanted.isIndex())
    return false;
  return wanted.isReal() || found.isIndex();
}

std::optional<Element> common(Element a, Element b) {
  if (a == b)
    return a;
  if (a.isBool() || b.isBool())
    return std::nullopt;
  return a.isReal() || b.isReal() ? Element::real() : Element::integer();
}

std::string show(const Type &type) {
  if (type.dims.empty())
    return show(type.element);
  return (type.element.isReal() ? "" : show(type.element)) + show(type.dims);
}

std::string showWithElement(const Type &type) {
  return show(type.element) + (type.dims.empty() ? "" : show(type.dims));
}

} // namespace weft::sema
