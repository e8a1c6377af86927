// Where the whole numbers of a value lie: arithmetic on ranges, and whether an index stays inside.
// As numbers are written: that ints wrap and floats round is looked at with the sizes of a build
// (ir/model/Positions).
#pragma once

#include "frontend/Ast.h"
#include "frontend/check/Type.h"

#include <functional>

namespace weft::sema {

/// The known range, or that of the dimension it indexes.
std::optional<IndexRange> rangeOf(const Value &value);

/// The range of `a op b`, where the equations prove one. A quotient's range is not whole: only
/// `floor` makes an index of it.
std::optional<IndexRange> combine(ast::BinaryOp op, const Value &a, const Value &b,
                                  const Bounds &bounds);
/// The range of `max(a, b)` or `min(a, b)`.
std::optional<IndexRange> largest(const Value &a, const Value &b, const Bounds &bounds);
std::optional<IndexRange> smallest(const Value &a, const Value &b, const Bounds &bounds);

/// Whether every whole number in `range` is a position along something of this size.
bool fits(const IndexRange &range, const Size &size, const Bounds &bounds);

} // namespace weft::sema
