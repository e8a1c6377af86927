// Proofs that one size is not below another, from lower and upper bounds of dimensions.
#ifndef WEFT_IR_SIZE_SIZEORDER_H
#define WEFT_IR_SIZE_SIZEORDER_H

#include "ir/size/Size.h"

namespace weft {

/// What holds of the dimensions that a size names, in every run.
struct SizeFacts {
  /// The least size of a dimension: 1, or 0 for what may be empty.
  std::function<int64_t(const std::string &)> least = [](const std::string &) { return 1; };
  /// An upper bound of a dimension; empty if none is known.
  std::function<std::optional<Size>(const std::string &)> most = [](const std::string &) {
    return std::optional<Size>();
  };
};

/// `above / below`, both without a division: divisors, sums among them, are multiplied out.
struct Fraction {
  Size above, below;
};
Fraction fraction(const Size &size);

/// Whether a size has few enough terms to prove something of it quickly, as all sizes have that
/// people write.
bool isReasonable(const Size &size);

/// Whether `size` is at least 0 (more than 0) wherever every division is exact and the facts hold.
/// Certain if true; false means that it is not known.
bool isNonNegative(const Size &size, const SizeFacts &facts);
bool isPositive(const Size &size, const SizeFacts &facts);

} // namespace weft

#endif // WEFT_IR_SIZE_SIZEORDER_H
