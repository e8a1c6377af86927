// Bounded products of sizes, and proofs that one is not negative.
#include "frontend/check/Sizes.h"

#include <cctype>
#include <cstdlib>

namespace weft::sema {

static constexpr size_t maxTerms = 64;
static constexpr int maxPower = 32;
static constexpr size_t maxText = 2000;

Size undefinedSize() {
  return Size::number(1) / Size();
}

bool isReasonable(const Size &size) {
  if (size.isUndefined() || size.terms().size() > maxTerms)
    return false;
  size_t text = 0;
  for (const auto &[monomial, coefficient] : size.terms())
    for (const auto &[name, power] : monomial) {
      if (std::abs(power) > maxPower)
        return false;
      text += name.size() * std::abs(power);
    }
  return text <= maxText;
}

Size multiply(const Size &a, const Size &b) {
  if (!isReasonable(a) || !isReasonable(b))
    return undefinedSize();
  Size result = a * b;
  return isReasonable(result) ? result : undefinedSize();
}

Size divide(const Size &a, const Size &b) {
  if (!isReasonable(a) || !isReasonable(b))
    return undefinedSize();
  Size result = a / b;
  return isReasonable(result) ? result : undefinedSize();
}

/// Division by a sum is an atom in parentheses, whose sign nobody knows.
static bool isOpaque(const std::string &atom) {
  return atom.front() == '(';
}

static bool hasKnownSign(const Size::Monomial &monomial) {
  for (const auto &[atom, power] : monomial)
    if (isOpaque(atom))
      return false;
  return true;
}

bool isNonNegative(Size size, const std::function<const Size *(const std::string &)> &bound) {
  // `seq <= position`: a negative term in `seq` is at least the same term in `position`. Bounds
  // may be bounded themselves, a few times over.
  for (int round = 0; round < 8; ++round) {
    if (size.isUndefined())
      return false;
    std::string replaced;
    bool negative = false;
    for (const auto &[monomial, coefficient] : size.terms()) {
      if (!hasKnownSign(monomial))
        return false;
      if (coefficient.numerator >= 0)
        continue;
      negative = true;
      for (const auto &[atom, power] : monomial)
        if (power > 0 && bound(atom))
          replaced = atom;
    }
    if (!negative)
      return true;
    if (replaced.empty())
      return false;

    Size next;
    for (const auto &[monomial, coefficient] : size.terms()) {
      Size term = Size::number(coefficient.numerator) / Size::number(coefficient.denominator);
      for (const auto &[atom, power] : monomial) {
        const Size base = coefficient.numerator < 0 && atom == replaced && power > 0
                              ? *bound(atom)
                              : Size::dim(atom);
        for (int i = 0; i < std::abs(power); ++i)
          term = power > 0 ? multiply(term, base) : divide(term, base);
      }
      next = next + term;
    }
    size = next;
  }
  return false;
}

std::string show(const Size &size) {
  // Atoms of other than file dimensions end with `$` and a number, which is nobody's word.
  std::string text = size.str(), out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    for (++i; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));)
      ++i;
  }
  return out;
}

} // namespace weft::sema
