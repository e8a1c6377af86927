// Dimensions as the checker knows them: one object per declaration, compared by identity.
#pragma once

#include "frontend/semantics/Sizes.h"
#include "frontend/source/Source.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::sema {

/// A dimension. A name means one dimension in a scope, but two scopes may have two of one name, so
/// types hold the address.
struct Dim {
  enum class Kind {
    file,      ///< declared at the top of a file
    parameter, ///< `d` of `fn mean[d]`
    local,     ///< declared in a body
    rest,      ///< what one argument's `..` stands for
  };
  Kind kind = Kind::file;
  std::string name; ///< as written; of `rest` the argument that brings it
  Span place;
  /// Normal form: a polynomial in the atoms of undefined dimensions (its own atom if undefined).
  Size size;
  std::optional<Size> bound;      ///< `dim seq <= position`
  std::vector<const Dim *> parts; ///< `dim token = class | seq`
  bool defined = false;           ///< has an equation: no `config` may set it
  bool broken = false;            ///< its equation had an error: what depends on it is not judged

  bool isRest() const { return kind == Kind::rest; }
};

using Dims = std::vector<const Dim *>;

/// Whether both are one dimension; the `..` of any two arguments count as one.
inline bool same(const Dim *a, const Dim *b) {
  return a == b || (a->isRest() && b->isRest());
}
/// By identity.
bool contains(const Dims &dims, const Dim *dim);
/// Up to `same`.
bool covers(const Dims &dims, const Dim *dim);
/// What `dims` has and `other` does not cover.
Dims beyond(const Dims &dims, const Dims &other);
/// Those of `a`, then those of `b` that are new; each `..` first.
Dims unite(const Dims &a, const Dims &b);
Dims without(const Dims &dims, const Dims &removed);
/// The first that stands twice, or null.
const Dim *repeated(const Dims &dims);
/// Product of the sizes.
Size product(const Dims &dims);
bool anyBroken(const Dims &dims);

/// `..` for a rest, else the name.
std::string name(const Dim *dim);
/// `[.., batch, seq]`; several `..` are shown as one; empty for a scalar.
std::string show(const Dims &dims);
/// `d` or `(row, col)`: what stands in one slot.
std::string quoteGroup(const Dims &dims);

/// Owns every dimension of a check.
class DimTable {
public:
  /// An undefined dimension: its size is its own atom.
  Dim *make(Dim::Kind kind, std::string name, Span place);
  /// The bound of the atom called `atom`, if one was declared.
  const Size *bound(const std::string &atom) const;
  void setBound(Dim *dim, Size bound);

private:
  std::deque<Dim> dims;
  std::map<std::string, Size> bounds; ///< of undefined dimensions, by atom
};

/// The dimensions that are visible somewhere.
class DimScope {
public:
  explicit DimScope(const DimScope *outer = nullptr) : outer(outer) {}

  /// The innermost of that name, or null.
  const Dim *find(std::string_view name) const;
  /// The one declared in this very scope, or null.
  const Dim *findHere(std::string_view name) const;
  /// Hides an outer one of the same name.
  void add(const Dim *dim) { here[dim->name] = dim; }
  std::vector<std::string> names() const;

private:
  const DimScope *outer;
  std::map<std::string, const Dim *, std::less<>> here;
};

} // namespace weft::sema
