// Sizes as text: `batch * seq * 768 + 1`.
#include "ir/size/Size.h"

#include <cctype>
#include <charconv>

using namespace weft;

/// The term without its sign: `seq * 3 / ph`.
static std::string termText(const Size::Monomial &monomial, Size::Rational coefficient) {
  std::string over, under;
  for (const auto &[name, power] : monomial) {
    for (int i = 0; i < power; ++i)
      over += over.empty() ? name : " * " + name;
    for (int i = power; i < 0; ++i)
      under += " / " + name;
  }
  std::string number = std::to_string(coefficient.numerator);
  if (coefficient.numerator < 0)
    number.erase(0, 1);
  if (over.empty())
    over = number;
  else if (number != "1")
    over += " * " + number;
  if (coefficient.denominator != 1)
    under += " / " + std::to_string(coefficient.denominator);
  return over + under;
}

std::string Size::str() const {
  if (undefined_)
    return "undefined";
  // Positive terms first, and in each group the constant last: `seq + 1 - width`.
  std::string text;
  for (bool negative : {false, true}) {
    std::string last;
    for (const auto &[monomial, coefficient] : terms_) {
      if ((coefficient.numerator < 0) != negative)
        continue;
      std::string term = termText(monomial, coefficient);
      if (monomial.empty())
        last = term;
      else
        text += (text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ")) + term;
    }
    if (!last.empty())
      text += (text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ")) + last;
  }
  return text.empty() ? "0" : text;
}

namespace {

/// Recursive descent over `sum = product {(+|-) product}`, `product = sign {(*|/) sign}`, `sign =
/// {-} primary`.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  std::optional<Size> whole() {
    std::optional<Size> size = sum();
    skip();
    return rest.empty() ? size : std::nullopt;
  }

private:
  /// Deeper nesting than any size that people write; bounds the recursion on hostile text.
  static constexpr int maxDepth = 100;

  void skip() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.front())))
      rest.remove_prefix(1);
  }

  bool take(char c) {
    skip();
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }

  std::optional<Size> sum() {
    std::optional<Size> left = product();
    while (left) {
      bool plus = take('+');
      if (!plus && !take('-'))
        return left;
      std::optional<Size> right = product();
      if (!right)
        return std::nullopt;
      left = plus ? *left + *right : *left - *right;
    }
    return std::nullopt;
  }

  std::optional<Size> product() {
    std::optional<Size> left = sign();
    while (left) {
      bool times = take('*');
      if (!times && !take('/'))
        return left;
      std::optional<Size> right = sign();
      if (!right)
        return std::nullopt;
      left = times ? *left * *right : *left / *right;
    }
    return std::nullopt;
  }

  std::optional<Size> sign() {
    bool negative = false;
    while (take('-'))
      negative = !negative;
    std::optional<Size> size = primary();
    return size && negative ? Size() - *size : size;
  }

  std::optional<Size> primary() {
    skip();
    if (take('(')) {
      if (++depth > maxDepth)
        return std::nullopt;
      std::optional<Size> inner = sum();
      --depth;
      return inner && take(')') ? inner : std::nullopt;
    }
    if (rest.empty())
      return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(rest.front()))) {
      std::optional<int64_t> value = number();
      return value ? std::optional(Size::number(*value)) : std::nullopt;
    }
    size_t length = 0;
    while (length < rest.size() && isNameCharacter(rest[length]))
      ++length;
    if (length == 0)
      return std::nullopt;
    std::string_view name = rest.substr(0, length);
    rest.remove_prefix(length);
    return Size::dim(name);
  }

  static bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
  }

  std::optional<int64_t> number() {
    int64_t value = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || value < 0)
      return std::nullopt;
    rest.remove_prefix(end - rest.data());
    return value;
  }

  std::string_view rest;
  int depth = 0;
};

} // namespace

std::optional<Size> Size::parse(std::string_view text) {
  return Reader(text).whole();
}
