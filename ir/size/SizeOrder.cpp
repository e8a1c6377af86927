// A polynomial is not negative if none of its terms is, once each dimension is written as its lower
// bound plus a number that is not negative. Before that, dimensions of negative terms may be
// replaced by their upper bounds, which only lowers the polynomial.
#include "ir/size/SizeOrder.h"

#include <cstdlib>
#include <numeric>

using namespace weft;

static constexpr size_t mostTerms = 64, mostText = 2000;
static constexpr int mostPower = 32;

static bool isSum(const std::string &name) {
  return name.front() == '(';
}

bool weft::isReasonable(const Size &size) {
  if (size.isUndefined() || size.terms().size() > mostTerms)
    return false;
  size_t text = 0;
  for (const auto &[monomial, coefficient] : size.terms())
    for (const auto &[name, power] : monomial) {
      if (std::abs(power) > mostPower)
        return false;
      text += name.size() * std::abs(power);
    }
  return text <= mostText;
}

/// `result` times `base` to the power `power`, which is not negative; stops where that gets
/// unreasonable.
static Size raised(Size result, const Size &base, int power) {
  for (int i = 0; i < power && isReasonable(result); ++i)
    result = result * base;
  return result;
}

/// `size` where nothing is divided by a sum of fractions: n / (m / 2 + 1) is 2 * n / (m + 2).
static Size withWholeSums(const Size &size) {
  bool changed = false;
  Size result;
  for (const auto &[powers, coefficient] : size.terms()) {
    Size term = Size::number(coefficient.numerator) / Size::number(coefficient.denominator);
    for (const auto &[name, power] : powers) {
      Fraction base{isSum(name) ? *Size::parse(name) : Size::dim(name), Size::number(1)};
      if (isSum(name)) // which only divide
        base = fraction(base.above);
      changed |= base.below != Size::number(1);
      for (int i = 0; i < std::abs(power) && isReasonable(term); ++i)
        term = power < 0 ? term * base.below / base.above : term * base.above;
    }
    result = result + term;
  }
  return changed ? result : size;
}

Fraction weft::fraction(const Size &given) {
  Size size = withWholeSums(given);
  int64_t denominator = 1;
  Size::Monomial below;
  for (const auto &[powers, coefficient] : size.terms()) {
    int64_t factor = coefficient.denominator / std::gcd(denominator, coefficient.denominator);
    if (__builtin_mul_overflow(denominator, factor, &denominator))
      return {Size::number(1) / Size(), Size::number(1)};
    for (const auto &[name, power] : powers)
      if (power < 0)
        below[name] = std::max(below[name], -power);
  }
  auto product = [](const Size &factor, const Size::Monomial &powers) {
    Size value = factor;
    for (const auto &[name, power] : powers)
      value = raised(value, isSum(name) ? *Size::parse(name) : Size::dim(name), power);
    return value;
  };
  Size above;
  for (const auto &[powers, coefficient] : size.terms()) {
    Size::Monomial left = powers;
    for (const auto &[name, power] : below)
      left[name] += power;
    Size factor =
        Size::number(coefficient.numerator) * Size::number(denominator / coefficient.denominator);
    above = above + product(factor, left);
  }
  if (size.isUndefined())
    above = size;
  return {above, product(Size::number(denominator), below)};
}

namespace {
class Proof {
public:
  explicit Proof(const SizeFacts &facts) : facts(facts) {}

  bool isAtLeast(const Size &size, int64_t least) {
    if (!isReasonable(size))
      return false;
    auto [above, below] = fraction(size);
    if (!below.constant() && !areDivisorsPositive(size))
      return false;
    return search(above - Size::number(least), 6);
  }

private:
  /// Whether all divisors of a size are positive.
  bool areDivisorsPositive(const Size &size) {
    for (const auto &[powers, coefficient] : size.terms())
      for (const auto &[name, power] : powers) {
        if (power > 0)
          continue;
        if (isSum(name) ? !isAtLeast(*Size::parse(name), 1) : facts.least(name) < 1)
          return false;
      }
    return true;
  }

  /// `size` with every dimension written as its lower bound plus a number that is not negative.
  Size counted(const Size &size) const {
    Size result;
    for (const auto &[powers, coefficient] : size.terms()) {
      Size term = Size::number(coefficient.numerator);
      for (const auto &[name, power] : powers)
        term = raised(term, Size::dim(name) + Size::number(facts.least(name)), power);
      result = result + term;
      if (!isReasonable(result))
        return Size::number(1) / Size();
    }
    return result;
  }

  /// `size` with `name` replaced by its upper bound `most` in every term that is negative.
  static Size lowered(const Size &size, const std::string &name, const Size &most) {
    Size result;
    for (const auto &[powers, coefficient] : size.terms()) {
      Size term = Size::number(coefficient.numerator);
      for (const auto &[each, power] : powers)
        term =
            raised(term, coefficient.numerator < 0 && each == name ? most : Size::dim(each), power);
      result = result + term;
    }
    return result;
  }

  /// Of a size without divisions.
  bool search(const Size &size, int depth) {
    if (!isReasonable(size) || ++steps > 200)
      return false;
    Size from = counted(size);
    if (from.isUndefined())
      return false;
    bool negative = false;
    for (const auto &[powers, coefficient] : from.terms())
      negative |= coefficient.numerator < 0;
    if (!negative)
      return true;
    if (depth == 0)
      return false;
    std::map<std::string, bool> tried;
    for (const auto &[powers, coefficient] : size.terms())
      for (const auto &[name, power] : powers) {
        if (coefficient.numerator > 0 || !tried.try_emplace(name, true).second)
          continue;
        std::optional<Size> most = facts.most(name);
        if (!most || !isReasonable(*most))
          continue;
        if (!fraction(*most).below.constant() && !areDivisorsPositive(*most))
          continue;
        if (search(fraction(lowered(size, name, *most)).above, depth - 1))
          return true;
      }
    return false;
  }

  const SizeFacts &facts;
  int steps = 0; ///< in all: bounds the time that hostile sizes take
};
} // namespace

bool weft::isNonNegative(const Size &size, const SizeFacts &facts) {
  return Proof(facts).isAtLeast(size, 0);
}

bool weft::isPositive(const Size &size, const SizeFacts &facts) {
  return Proof(facts).isAtLeast(size, 1);
}
