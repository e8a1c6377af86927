// What the checker asks of sizes beyond their algebra: growth kept in bounds, and proofs of order.
#pragma once

#include "ir/model/Size.h"

#include <functional>
#include <string>

namespace weft::sema {

/// A size that nothing is known of.
Size undefinedSize();
/// Undefined where a result would have more terms or higher powers than any program means; so
/// hostile equations cannot make a check slow.
Size multiply(const Size &a, const Size &b);
Size divide(const Size &a, const Size &b);
/// Whether a size is small enough to go on with.
bool isReasonable(const Size &size);

/// Certainly >= 0, given that dimensions are >= 0 and that an atom is at most `bound(atom)` (which
/// may be null).
bool isNonNegative(Size size, const std::function<const Size *(const std::string &)> &bound);

/// A size in the words of the program.
std::string show(const Size &size);

} // namespace weft::sema
