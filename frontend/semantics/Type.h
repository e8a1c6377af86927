// Types of values: an element and the dimensions it is spread over.
#pragma once

#include "frontend/semantics/Dim.h"

#include <optional>
#include <string>

namespace weft::sema {

/// What one position holds. An index is also an `int`, an `int` also a `float`.
struct Element {
  enum class Kind { real, integer, boolean, index };
  Kind kind = Kind::real;
  const Dim *dim = nullptr; ///< what an index counts along; else null

  static Element real() { return {}; }
  static Element integer() { return {Kind::integer, nullptr}; }
  static Element boolean() { return {Kind::boolean, nullptr}; }
  static Element index(const Dim *dim) { return {Kind::index, dim}; }

  bool isBool() const { return kind == Kind::boolean; }
  bool isReal() const { return kind == Kind::real; }
  bool isIndex() const { return kind == Kind::index; }
  bool operator==(const Element &) const = default;
};

std::string show(Element element);
/// Whether `found` may stand where `wanted` is asked for, without a conversion back.
bool widens(Element found, Element wanted);
/// The narrowest element that both widen to; empty for a condition and a number.
std::optional<Element> common(Element a, Element b);

/// `element[dims]`. The order of dimensions is only for people.
struct Type {
  Element element;
  Dims dims;
  bool known = true; ///< false after an error: fits everywhere and is judged nowhere

  static Type unknown() { return {{}, {}, false}; }
};

/// `vocab[batch, seq]`, `[batch, seq]`, `float`.
std::string show(const Type &type);
/// The same where the element is what matters: `float[batch, seq]`.
std::string showWithElement(const Type &type);

/// Where a whole number may lie, both ends included. Every one of `low` and of `high` holds: which
/// of two is the better is not always known. None of them is empty.
struct IndexRange {
  std::vector<Size> low, high;
};
/// A number lies in one of these; empty if nothing is known of it.
using IndexRanges = std::vector<IndexRange>;

/// What an expression gives.
struct Value {
  Type type;
  IndexRanges ranges; ///< of whole numbers, where known

  static Value unknown() { return {Type::unknown(), {}}; }
  bool known() const { return type.known; }
};

} // namespace weft::sema
