// Reading a callee's dimensions in the names of its caller.
#include "frontend/semantics/Naming.h"

namespace weft::sema {

Dims substitute(const Substitution &names, const Dims &dims) {
  Dims out, brought;
  for (const Dim *dim : dims) {
    auto it = names.find(dim);
    const Dims &here = it == names.end() ? Dims{dim} : it->second;
    for (const Dim *replacement : here) {
      // Two arguments may bring the same; a named dimension that is also brought stays twice.
      if (dim->isRest()) {
        if (contains(brought, replacement))
          continue;
        brought.push_back(replacement);
      }
      out.push_back(replacement);
    }
  }
  return out;
}

Type substitute(const Substitution &names, const Type &type) {
  Type out = type;
  out.dims = substitute(names, type.dims);
  if (!type.element.isIndex())
    return out;
  if (auto it = names.find(type.element.dim); it != names.end()) {
    // Only one dimension can be indexed: a group is refused where the call is checked.
    out.known &= it->second.size() == 1;
    out.element = out.known ? Element::index(it->second.front()) : Element::integer();
  }
  return out;
}

bool exclude(const Branches &a, const Branches &b) {
  for (const auto &[choice, way] : a)
    for (const auto &[otherChoice, otherWay] : b)
      if (choice == otherChoice && way != otherWay)
        return true;
  return false;
}

bool Naming::stores() const {
  for (const auto &[name, all] : claims)
    for (const Claim &claim : all)
      if (claim.stores)
        return true;
  return false;
}

} // namespace weft::sema
