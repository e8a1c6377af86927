// What the checker asks of sizes beyond their algebra: growth kept in bounds, and proofs of order.
#pragma once

#include "ir/size/SizeOrder.h"

#include <functional>
#include <string>

namespace weft::sema {

/// A size that nothing is known of.
Size undefinedSize();
/// Undefined where a result would have more terms or higher powers than any program means; so
/// hostile equations cannot make a check slow.
Size multiply(const Size &a, const Size &b);
Size divide(const Size &a, const Size &b);
using Bounds = std::function<const Size *(const std::string &)>;
/// Certainly >= 0 (> 0), given that every dimension is at least 1 and that an atom is at most
/// `bound(atom)`, which may be null.
bool isNonNegative(const Size &size, const Bounds &bound);
bool isPositive(const Size &size, const Bounds &bound);

/// A size in the words of the program.
std::string show(const Size &size);

} // namespace weft::sema
