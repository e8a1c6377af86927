// Arithmetic of sizes: polynomials over dimensions with exact rational coefficients.
#include "ir/size/Size.h"

#include <set>

using namespace weft;

using Wide = __int128;

/// A fraction in lowest terms with a positive denominator; empty if it does not fit or
/// `denominator` is 0.
static std::optional<Size::Rational> fraction(Wide numerator, Wide denominator) {
  if (denominator == 0)
    return std::nullopt;
  Wide a = numerator < 0 ? -numerator : numerator, b = denominator < 0 ? -denominator : denominator;
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  Wide divisor = denominator < 0 ? -a : a;
  numerator /= divisor;
  denominator /= divisor;
  if (numerator < -INT64_MAX || numerator > INT64_MAX || denominator > INT64_MAX)
    return std::nullopt; // -2^63 is left out: negating it would not fit
  return Size::Rational{int64_t(numerator), int64_t(denominator)};
}

static std::optional<Size::Rational> sum(Size::Rational a, Size::Rational b) {
  // Both products are below 2^126, so their sum fits.
  return fraction(Wide(a.numerator) * b.denominator + Wide(b.numerator) * a.denominator,
                  Wide(a.denominator) * b.denominator);
}

static std::optional<Size::Rational> product(Size::Rational a, Size::Rational b) {
  return fraction(Wide(a.numerator) * b.numerator, Wide(a.denominator) * b.denominator);
}

static std::optional<Size::Rational> quotient(Size::Rational a, Size::Rational b) {
  return fraction(Wide(a.numerator) * b.denominator, Wide(a.denominator) * b.numerator);
}

static bool isAtom(const std::string &name) {
  return name.front() == '(';
}

Size Size::undefined() {
  Size result;
  result.undefined_ = true;
  return result;
}

Size Size::number(int64_t value) {
  if (value == INT64_MIN)
    return undefined();
  Size result;
  result.add({}, {value, 1});
  return result;
}

Size Size::dim(std::string_view name) {
  Size result;
  result.add({{std::string(name), 1}}, {1, 1});
  return result;
}

void Size::add(const Monomial &monomial, Rational coefficient) {
  if (undefined_ || coefficient.numerator == 0)
    return;
  auto [term, isNew] = terms_.try_emplace(monomial, coefficient);
  if (isNew)
    return;
  std::optional<Rational> both = sum(term->second, coefficient);
  if (!both)
    *this = undefined();
  else if (both->numerator == 0)
    terms_.erase(term);
  else
    term->second = *both;
}

Size Size::times(const Monomial &monomial, Rational coefficient) const {
  Size result;
  for (const auto &[own, factor] : terms_) {
    std::optional<Rational> scaled = product(factor, coefficient);
    if (!scaled)
      return undefined();
    Monomial powers = own;
    for (const auto &[name, power] : monomial)
      if ((powers[name] += power) == 0)
        powers.erase(name);
    result.add(powers, *scaled);
  }
  return result;
}

Size Size::operator+(const Size &other) const {
  if (undefined_ || other.undefined_)
    return undefined();
  Size result = *this;
  for (const auto &[monomial, coefficient] : other.terms_)
    result.add(monomial, coefficient);
  return result;
}

Size Size::operator-(const Size &other) const {
  return *this + other * number(-1);
}

Size Size::operator*(const Size &other) const {
  if (undefined_ || other.undefined_)
    return undefined();
  Size result;
  for (const auto &[monomial, coefficient] : other.terms_)
    result = result + times(monomial, coefficient);
  return result;
}

Size Size::operator/(const Size &other) const {
  if (undefined_ || other.undefined_ || other.terms_.empty())
    return undefined();
  if (*this == other)
    return number(1);
  if (other.terms_.size() > 1)
    return times({{"(" + other.str() + ")", -1}}, {1, 1});

  const auto &[monomial, coefficient] = *other.terms_.begin();
  std::optional<Rational> factor = quotient({1, 1}, coefficient);
  if (!factor)
    return undefined();
  Monomial powers;
  Size sums = number(1); // division by a division: its atoms become factors
  for (const auto &[name, power] : monomial) {
    if (!isAtom(name)) {
      powers[name] = -power;
      continue;
    }
    Size inner = *parse(name);
    for (int i = power; i < 0; ++i)
      sums = sums * inner;
  }
  return times(powers, *factor) * sums;
}

std::optional<int64_t> Size::constant() const {
  if (undefined_)
    return std::nullopt;
  if (terms_.empty())
    return 0;
  const auto &[monomial, coefficient] = *terms_.begin();
  if (terms_.size() > 1 || !monomial.empty() || coefficient.denominator != 1)
    return std::nullopt;
  return coefficient.numerator;
}

bool Size::isNonNegative() const {
  for (const auto &[monomial, coefficient] : terms_) {
    if (coefficient.numerator < 0)
      return false;
    for (const auto &[name, power] : monomial)
      if (power < 0)
        return false;
  }
  return !undefined_;
}

std::vector<std::string> Size::dims() const {
  std::set<std::string> names;
  for (const auto &[monomial, coefficient] : terms_)
    for (const auto &[name, power] : monomial) {
      if (!isAtom(name))
        names.insert(name);
      else
        for (const std::string &inner : parse(name)->dims())
          names.insert(inner);
    }
  return {names.begin(), names.end()};
}

Size Size::substitute(const std::function<std::optional<Size>(const std::string &)> &value) const {
  if (undefined_)
    return *this;
  Size result;
  for (const auto &[monomial, coefficient] : terms_) {
    Size term;
    term.add({}, coefficient);
    for (const auto &[name, power] : monomial) {
      Size base = isAtom(name) ? parse(name)->substitute(value) : value(name).value_or(dim(name));
      for (int i = 0; i < power; ++i)
        term = term * base;
      for (int i = power; i < 0; ++i)
        term = term / base;
    }
    result = result + term;
  }
  return result;
}

std::optional<int64_t>
Size::evaluate(const std::function<std::optional<int64_t>(const std::string &)> &value) const {
  Size known = substitute([&](const std::string &name) -> std::optional<Size> {
    if (std::optional<int64_t> number = value(name))
      return Size::number(*number);
    return std::nullopt;
  });
  return known.constant();
}
