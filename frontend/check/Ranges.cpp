// Interval arithmetic over sizes.
#include "frontend/check/Ranges.h"

namespace weft::sema {

static Size one() {
  return Size::number(1);
}

std::optional<IndexRange> rangeOf(const Value &value) {
  if (value.range || !value.type.element.isIndex())
    return value.range;
  const Dim *dim = value.type.element.dim;
  if (dim->broken)
    return std::nullopt;
  return IndexRange{Size(), dim->size - one()};
}

std::optional<IndexRange> combine(ast::BinaryOp op, const Value &a, const Value &b,
                                  const Bounds &bounds) {
  using Op = ast::BinaryOp;
  std::optional<IndexRange> x = rangeOf(a), y = rangeOf(b);
  bool exact = y && y->low == y->high;
  if (op == Op::remainder) // has the sign of the divisor
    if (exact && isPositive(y->low, bounds) && !a.type.element.isReal() && !b.type.element.isReal())
      return IndexRange{Size(), y->low - one()};
  if (!x || !y)
    return std::nullopt;
  switch (op) {
  case Op::add:
    return IndexRange{x->low + y->low, x->high + y->high};
  case Op::subtract:
    return IndexRange{x->low - y->high, x->high - y->low};
  case Op::multiply:
    if (!isNonNegative(x->low, bounds) || !isNonNegative(y->low, bounds))
      return std::nullopt;
    return IndexRange{multiply(x->low, y->low), multiply(x->high, y->high)};
  case Op::divide:
    if (!exact || !isPositive(y->low, bounds) || y->low.terms().size() != 1)
      return std::nullopt;
    return IndexRange{divide(x->low, y->low), divide(x->high, y->low)};
  default:
    return std::nullopt;
  }
}

/// The one that is certainly not above the other.
static std::optional<Size> lower(const Size &a, const Size &b, const Bounds &bounds) {
  if (isNonNegative(b - a, bounds))
    return a;
  return isNonNegative(a - b, bounds) ? std::optional(b) : std::nullopt;
}

static std::optional<Size> upper(const Size &a, const Size &b, const Bounds &bounds) {
  std::optional<Size> least = lower(a, b, bounds);
  if (!least)
    return std::nullopt;
  return *least == a ? b : a;
}

std::optional<IndexRange> largest(const Value &a, const Value &b, const Bounds &bounds) {
  std::optional<IndexRange> x = rangeOf(a), y = rangeOf(b);
  if (!x || !y)
    return std::nullopt;
  std::optional<Size> high = upper(x->high, y->high, bounds);
  if (!high)
    return std::nullopt;
  // Either low end holds; the better one if it is known which.
  return IndexRange{upper(x->low, y->low, bounds).value_or(x->low), *high};
}

std::optional<IndexRange> smallest(const Value &a, const Value &b, const Bounds &bounds) {
  std::optional<IndexRange> x = rangeOf(a), y = rangeOf(b);
  if (!x || !y)
    return std::nullopt;
  std::optional<Size> low = lower(x->low, y->low, bounds);
  if (!low)
    return std::nullopt;
  return IndexRange{*low, lower(x->high, y->high, bounds).value_or(y->high)};
}

bool fits(const IndexRange &range, const Size &size, const Bounds &bounds) {
  if (!isNonNegative(range.low, bounds))
    return false;
  // A whole number below a whole size is at most the last position.
  return isPositive(size - range.high, bounds);
}

} // namespace weft::sema
