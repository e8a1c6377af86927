// Limits of a whole number or a float, as sizes, and what each rests on.
#ifndef WEFT_IR_SIZE_LIMITS_H
#define WEFT_IR_SIZE_LIMITS_H

#include "ir/size/SizeOrder.h"

#include <set>
#include <vector>

namespace weft::model {

inline constexpr int64_t leastInt = INT32_MIN, mostInt = INT32_MAX;

/// A bound of a value, which holds if all of what it rests on does: that nothing wrapped, that a
/// float holds it exactly.
struct Limit {
  Size at;
  std::set<unsigned> rests = {}; ///< by number, of what Intervals collects
};

/// An interval. Each limit holds by itself.
struct Span {
  std::vector<Limit> low, high;
};

/// A value lies in one of these; empty if nothing is known of it.
using Spans = std::vector<Span>;

/// Every int.
Span everything();
/// Whether a limit says no more than that a number is an int.
bool isExtreme(const Limit &limit);
/// The limits of both, a few of them: those that say something first.
std::vector<Limit> merged(std::vector<Limit> a, const std::vector<Limit> &b);
std::set<unsigned> united(std::set<unsigned> a, const std::set<unsigned> &b);
/// The value itself, where the interval is a point.
std::optional<Limit> exact(const Span &span);
void addOnce(Spans &spans, Span span);
/// The intervals of both, each once.
Spans either(Spans a, const Spans &b);

/// Whether something can be shown of a size, and asked: its fraction is no larger than it.
bool isUsable(const Size &size);
/// Not above the floor of a fraction (not below what is not under it), and themselves fractions:
/// floor(a / b) is at least (a - b + 1) / b.
Size roundedDown(const Size &size);
Size roundedUp(const Size &size);

} // namespace weft::model

#endif // WEFT_IR_SIZE_LIMITS_H
