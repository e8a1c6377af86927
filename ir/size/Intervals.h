// Interval arithmetic over sizes, as programs compute: ints wrap at 32 bits, floats round.
#ifndef WEFT_IR_SIZE_INTERVALS_H
#define WEFT_IR_SIZE_INTERVALS_H

#include "ir/size/Limits.h"
#include "ir/size/SizeOrder.h"

#include <functional>
#include <map>

namespace weft::model {

enum class Kind { whole, real };

/// The arithmetic, and the premises that its limits depend on. Every limit of a real number also
/// depends on what keeps the number finite.
class Intervals {
public:
  explicit Intervals(SizeFacts facts) : facts(std::move(facts)) {}

  /// `left <= right`, without divisions, that limits depend on; with the message if it does not
  /// hold.
  struct Premise {
    Size left, right;
    std::string text;
  };
  /// `along`: "a position along `seq`".
  Premise premise(unsigned number, const std::string &along) const;

  /// An int that is this size; a float that is this number.
  Spans whole(const Size &value);
  static Spans real(double value);
  /// 0 to `size` - 1.
  Spans positions(const Size &size);

  Spans sum(const Spans &a, const Spans &b, Kind kind);
  Spans difference(const Spans &a, const Spans &b, Kind kind);
  Spans product(const Spans &a, const Spans &b, Kind kind);
  /// Of ints rounded down.
  Spans quotient(const Spans &a, const Spans &b, Kind kind);
  /// Of ints, whatever is divided by `b`.
  Spans rest(const Spans &b) const;
  Spans larger(const Spans &a, const Spans &b, Kind kind) const;
  Spans smaller(const Spans &a, const Spans &b, Kind kind) const;
  /// Of an int.
  Spans asReal(const Spans &a);
  /// Of a float.
  Spans floor(const Spans &a);

private:
  static constexpr unsigned always = ~0u; ///< the number of the premise that always holds
  using Combination = std::function<std::optional<Span>(const Span &, const Span &)>;
  Spans combined(const Spans &a, const Spans &b, Kind kind, const Combination &combination);
  Spans extreme(const Spans &a, const Spans &b, Kind kind, bool largest) const;
  std::optional<Span> product(const Span &a, const Span &b) const;
  std::optional<Span> quotient(const Span &a, const Span &b, Kind kind) const;
  std::optional<Limit> positive(const Span &span) const;
  struct Range {
    int64_t least, most;
    const char *what; ///< "an `int` holds"
  };
  static const Range ints, floats;
  std::optional<unsigned> premised(const Size &left, const Size &right, const std::string &text);
  std::optional<unsigned> notBelow(const Size &at, const Range &range);
  std::optional<unsigned> notAbove(const Size &at, const Range &range);
  std::optional<Span> inside(const Span &span, const Range &range);
  Spans wrapped(Spans spans);
  std::optional<Span> rounded(Span span, bool isInt);

  SizeFacts facts;
  std::vector<Premise> premises;
  std::map<std::pair<std::string, std::string>, unsigned> numbers; ///< of premises, by their sides
};

} // namespace weft::model

#endif // WEFT_IR_SIZE_INTERVALS_H
