// The algebra of sizes: polynomials over the sizes of dimensions, with exact division.
#ifndef WEFT_IR_SIZE_SIZE_H
#define WEFT_IR_SIZE_SIZE_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A size in normal form: a sum of rational coefficients times powers of dimension names. Powers
/// may be negative (`height / ph`): such a division is exact by obligation. Division by a sum is an
/// opaque atom: a name that is the sum's text in parentheses, with a negative power. A size is
/// undefined after a division by zero or when a coefficient leaves int64, and so is everything that
/// is computed from it.
class Size {
public:
  /// A power product: dimension name to exponent, never 0.
  using Monomial = std::map<std::string, int>;
  struct Rational {
    int64_t numerator = 0, denominator = 1;
    bool operator==(const Rational &) const = default;
  };

  Size() = default; // zero
  static Size number(int64_t value);
  static Size dim(std::string_view name);
  /// Reads what `str` writes: names, whole numbers, `+ - * /` and parentheses. Empty on malformed
  /// text.
  static std::optional<Size> parse(std::string_view text);

  Size operator+(const Size &other) const;
  Size operator-(const Size &other) const;
  Size operator*(const Size &other) const;
  Size operator/(const Size &other) const;
  bool operator==(const Size &) const = default;

  bool isUndefined() const { return undefined_; }
  /// The number this is, if it names no dimension and is whole.
  std::optional<int64_t> constant() const;
  /// No negative coefficient and no negative power: certainly >= 0.
  bool isNonNegative() const;
  /// Every name in it, each once, in order.
  std::vector<std::string> dims() const;
  /// Replaces names for which `value` gives a size.
  Size substitute(const std::function<std::optional<Size>(const std::string &)> &value) const;
  /// The value where every name is known: empty if a name is not, if a division is not exact, or on
  /// overflow of int64.
  std::optional<int64_t>
  evaluate(const std::function<std::optional<int64_t>(const std::string &)> &value) const;

  /// `batch * seq * 768 + 1`; `0` for zero, `undefined` if it is.
  std::string str() const;

  const std::map<Monomial, Rational> &terms() const { return terms_; }

private:
  static Size undefined();
  void add(const Monomial &monomial, Rational coefficient);
  Size times(const Monomial &monomial, Rational coefficient) const;

  std::map<Monomial, Rational> terms_;
  bool undefined_ = false;
};

} // namespace weft

#endif // WEFT_IR_SIZE_SIZE_H
