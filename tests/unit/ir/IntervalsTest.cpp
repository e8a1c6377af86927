// Interval arithmetic against numbers: expressions computed as programs compute them, in 32 bits
// and in floats, at small sizes and at the edges of both. Every limit holds if its premises
// do.
#include "Expressions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace weft;
using namespace weft::model;
using namespace weft::test;

namespace {
SizeFacts facts() {
  SizeFacts result;
  result.least = [](const std::string &name) { return name == "e" ? 0 : 1; };
  result.most = [](const std::string &name) {
    return std::optional(name == "s" ? Size::dim("n") : Size::number(INT32_MAX));
  };
  return result;
}

using Wide = __int128;

/// A limit at some sizes, exactly: `above / below`.
struct Value {
  Wide above, below;
};

/// The value of a polynomial; nothing beyond 128 bits.
std::optional<Wide> valueOf(const Size &polynomial, const Sizes &sizes) {
  if (polynomial.isUndefined())
    return std::nullopt;
  Wide total = 0;
  for (const auto &[powers, coefficient] : polynomial.terms()) {
    if (coefficient.denominator != 1)
      throw std::logic_error(polynomial.str() + " is no polynomial of whole numbers");
    Wide term = coefficient.numerator;
    for (const auto &[name, power] : powers)
      for (int i = 0; i < power; ++i)
        if (__builtin_mul_overflow(term, Wide(sizes.at(name)), &term))
          return std::nullopt;
    if (__builtin_add_overflow(total, term, &total))
      return std::nullopt;
  }
  return total;
}

/// Whether `limit <= value` (not `up`: `value <= limit`). What 128 bits do not hold is not judged.
bool isKept(const Value &limit, double value, bool up) {
  if (limit.below <= 0) // divided by what is no size
    return false;
  int exponent = 0;
  double digits = std::frexp(value, &exponent); // value = digits * 2^exponent, |digits| < 1
  auto whole = static_cast<int64_t>(std::ldexp(digits, 53));
  for (exponent -= 53; exponent < 0 && whole % 2 == 0 && whole != 0; ++exponent)
    whole /= 2;
  Wide left = limit.above, right = 0;
  if (__builtin_mul_overflow(Wide(whole), limit.below, &right))
    return true;
  for (; exponent != 0; exponent += exponent < 0 ? 1 : -1)
    if (Wide &side = exponent < 0 ? left : right; __builtin_mul_overflow(side, Wide(2), &side))
      return true;
  return up ? left <= right : right <= left;
}

class Trial {
public:
  explicit Trial(const std::vector<Sizes> &sizes) : sizes(sizes) {}
  unsigned limits = 0; ///< that were looked at

  /// Whether some span of `term` has the value that it is computed to be.
  testing::AssertionResult holds(const Term &term) {
    Intervals intervals(facts());
    Spans spans = term.spans(intervals);
    if (spans.empty())
      return testing::AssertionSuccess();
    std::vector<Rounding> roundings = {Rounding::each};
    if (term.hasReals)
      roundings = {Rounding::each, Rounding::fused, Rounding::none};
    for (const Sizes &at : sizes) {
      std::vector<std::vector<Bound>> bounds;
      for (const Span &span : spans)
        bounds.push_back(boundsOf(span, intervals, at));
      for (const Sizes &positions : term.positions(at))
        for (Rounding rounding : roundings) {
          double value = term.value({at, positions, rounding}).value;
          if (std::ranges::any_of(bounds, [&](const auto &span) { return contains(span, value); }))
            continue;
          auto failure = testing::AssertionFailure();
          failure << term.text << " is " << value << " at " << shown(at) << ", positions "
                  << shown(positions) << ", rounded " << int(rounding) << ", but";
          for (const auto &span : bounds)
            for (const Bound &bound : span)
              failure << (bound.up ? " at least " : ", at most ") << bound.limit->at.str() << ";";
          return failure;
        }
    }
    return testing::AssertionSuccess();
  }

private:
  struct Bound {
    Value value;
    bool up;
    const Limit *limit;
  };

  /// The limits whose premises all hold.
  std::vector<Bound> boundsOf(const Span &span, const Intervals &intervals, const Sizes &at) {
    std::vector<Bound> result;
    for (bool up : {true, false})
      for (const Limit &limit : up ? span.low : span.high) {
        bool isPremised = std::ranges::all_of(limit.premises, [&](unsigned number) {
          Intervals::Premise premise = intervals.premise(number, "");
          auto left = valueOf(premise.left, at), right = valueOf(premise.right, at);
          return left && right && *left <= *right;
        });
        Fraction parts = fraction(limit.at);
        auto above = valueOf(parts.above, at), below = valueOf(parts.below, at);
        if (isPremised && above && below)
          result.push_back({{*above, *below}, up, &limit});
      }
    limits += result.size();
    return result;
  }

  static bool contains(const std::vector<Bound> &span, double value) {
    return std::ranges::all_of(span, [&](const Bound &bound) {
      return std::isfinite(value) && isKept(bound.value, value, bound.up);
    });
  }

  const std::vector<Sizes> &sizes;
};

unsigned seedOf() {
  const char *given = std::getenv("WEFT_SEED");
  return given ? std::stoul(given) : std::random_device{}();
}
} // namespace

TEST(IntervalsTest, EveryOperationOnEveryPairOfLeaves) {
  Trial trial(smallAndLarge());
  for (const Term &a : leaves())
    for (const Term &b : leaves())
      for (Operation operation : operations())
        if (auto term = combined(operation, a, b)) {
          ASSERT_TRUE(trial.holds(*term));
          ASSERT_TRUE(trial.holds(turned(*term)));
        }
  EXPECT_GT(trial.limits, 100000u);
}

TEST(IntervalsTest, EveryOperationOnEveryResultOfAnOperation) {
  Trial trial(fewSizes());
  std::vector<Term> some = fewLeaves();
  for (const Term &a : some)
    for (const Term &b : some)
      for (Operation inner : operations())
        if (auto first = combined(inner, a, b))
          for (const Term &from : {*first, turned(*first)})
            for (const Term &c : some)
              for (Operation outer : operations()) {
                if (auto term = combined(outer, from, c))
                  ASSERT_TRUE(trial.holds(*term));
                if (auto term = combined(outer, c, from))
                  ASSERT_TRUE(trial.holds(*term));
              }
  EXPECT_GT(trial.limits, 1000000u);
}

/// What is wrong on both sides at once.
TEST(IntervalsTest, EveryOperationOfTwoOperationsWithItself) {
  Trial trial(fewSizes());
  std::vector<Term> some = fewLeaves();
  for (const Term &a : some)
    for (Operation inner : operations())
      if (auto first = combined(inner, a, a))
        for (const Term &from : {*first, turned(*first)})
          for (const Term &c : some)
            for (Operation middle : operations())
              if (auto second = combined(middle, from, c))
                for (Operation outer : operations())
                  if (auto term = combined(outer, *second, *second))
                    ASSERT_TRUE(trial.holds(*term));
  EXPECT_GT(trial.limits, 100000u);
}

/// Floats that become infinite, or too small to be normal, and what is not a number behind them.
TEST(IntervalsTest, PowersOfSizes) {
  Trial trial(fewSizes());
  Term base = turned(leafOf("size(n)")), one = realOf(1), three = realOf(3);
  std::vector<Term> powers = {base}, inverse = {*combined(Operation::divide, one, base)};
  for (int power = 2; power <= 6; ++power) {
    powers.push_back(*combined(Operation::multiply, powers.back(), base));
    inverse.push_back(*combined(Operation::multiply, inverse.back(), inverse[0]));
  }
  for (const Term &a : {powers[0], powers[1], powers[4], powers[5], inverse[3], inverse[4]})
    for (const std::vector<Term> &right : {powers, inverse})
      for (const Term &b : right)
        for (Operation operation : {Operation::multiply, Operation::divide, Operation::subtract}) {
          Term term = *combined(operation, a, b);
          for (const Term &each : {term, *combined(Operation::larger, term, three),
                                   *combined(Operation::multiply, term, three)}) {
            ASSERT_TRUE(trial.holds(each));
            ASSERT_TRUE(trial.holds(turned(each)));
          }
        }
  EXPECT_GT(trial.limits, 1000u);
}

/// Where a premise of a limit fails, the value may be anything: here 1 / 0 - 1 / 0.
TEST(IntervalsTest, WhatIsNoNumberPassesOn) {
  Trial trial(fewSizes());
  Term size = leafOf("size(n)"), one = realOf(1), three = realOf(3);
  Term product = turned(*combined(Operation::multiply, size, size));
  Term nothing = *combined(Operation::divide, one, product);
  nothing = *combined(Operation::subtract, nothing, nothing);
  for (Operation operation : {Operation::larger, Operation::smaller, Operation::choose})
    for (auto term : {combined(operation, nothing, three), combined(operation, three, nothing)}) {
      ASSERT_TRUE(trial.holds(*term));
      ASSERT_TRUE(trial.holds(turned(*term)));
    }
}

TEST(IntervalsTest, RandomExpressions) {
  unsigned seed = seedOf();
  printf("WEFT_SEED=%u\n", seed);
  std::mt19937 random(seed);
  Trial trial(smallAndLarge());
  for (int round = 0; round < 6000; ++round)
    ASSERT_TRUE(trial.holds(randomTerm(random, 2 + round % 4))) << "WEFT_SEED=" << seed;
  EXPECT_GT(trial.limits, 100000u);
}
