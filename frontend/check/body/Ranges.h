// Where the whole numbers of a value lie: arithmetic on ranges, and whether an index stays inside.
// As numbers are written: that ints wrap and floats round is looked at with the sizes of a build
// (ir/model/obligations/Positions).
#pragma once

#include "frontend/semantics/Type.h"
#include "frontend/syntax/Ast.h"

#include <functional>

namespace weft::sema {

/// The one number that this is.
IndexRanges only(const Size &size);
/// What is known, or that it is a position along the dimension it indexes.
IndexRanges rangesOf(const Value &value);
/// The number itself, where it is known to be one.
std::optional<Size> exact(const IndexRanges &ranges);

/// The ranges of `a op b`, where the equations prove some. A quotient's are not whole: only `floor`
/// makes an index of it.
IndexRanges combine(ast::BinaryOp op, const Value &a, const Value &b, const Bounds &bounds);
IndexRanges negated(const IndexRanges &ranges);
/// Of `max(a, b)` or `min(a, b)`.
IndexRanges largest(const Value &a, const Value &b, const Bounds &bounds);
IndexRanges smallest(const Value &a, const Value &b, const Bounds &bounds);
/// Of what is one of the two.
IndexRanges either(IndexRanges a, const IndexRanges &b, const Bounds &bounds);
/// Of a fraction, rounded down.
IndexRanges floored(IndexRanges ranges, const Bounds &bounds);

/// Whether every whole number in `ranges` is a position along something of this size.
bool fits(const IndexRanges &ranges, const Size &size, const Bounds &bounds);
/// "from 0 to n - 1", "any whole number".
std::string show(const IndexRanges &ranges);

} // namespace weft::sema
