// Limits of a whole number or a float, as sizes, and the premises that each depends on.
#ifndef WEFT_IR_SIZE_LIMITS_H
#define WEFT_IR_SIZE_LIMITS_H

#include "ir/size/SizeOrder.h"

#include <set>
#include <vector>

namespace weft::model {

inline constexpr int64_t leastInt = INT32_MIN, mostInt = INT32_MAX;

/// A bound of a value, which holds if all premises that it depends on do: that nothing wrapped,
/// that a float holds it exactly.
struct Limit {
  Size at;
  std::set<unsigned> premises = {}; ///< the numbers of those premises (Intervals::premise)
};

/// An interval. Each limit holds by itself.
struct Span {
  std::vector<Limit> low, high;
};

/// A union of intervals: a value is in one of them; empty if nothing is known of it.
using Spans = std::vector<Span>;

/// Every int.
Span everything();
/// Whether a limit is an end of int, which says nothing.
bool isExtreme(const Limit &limit);
/// The limits of both lists, at most a few of them, ends of int last.
std::vector<Limit> merged(std::vector<Limit> a, const std::vector<Limit> &b);
std::set<unsigned> united(std::set<unsigned> a, const std::set<unsigned> &b);
/// The value itself, where the interval is a point.
std::optional<Limit> exact(const Span &span);
void addOnce(Spans &spans, Span span);
/// The intervals of both, each once.
Spans either(Spans a, const Spans &b);

/// Whether a size and the two sides of its fraction are small enough to prove things of
/// (isReasonable).
bool isUsable(const Size &size);
/// A lower bound of the floor (an upper bound of the ceiling) of a fraction a / b, again as a
/// fraction: floor(a / b) is at least (a - b + 1) / b.
Size roundedDown(const Size &size);
Size roundedUp(const Size &size);

} // namespace weft::model

#endif // WEFT_IR_SIZE_LIMITS_H
