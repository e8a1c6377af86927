// Linear forms and formulas over them.
#include "passes/model/decode/Formula.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace weft::decode {

bool Unknown::operator<(const Unknown &other) const {
  StringRef name = dim ? dim.getValue() : "", otherName = other.dim ? other.dim.getValue() : "";
  return name != otherName ? name < otherName : number < other.number;
}

bool Linear::operator<(const Linear &other) const {
  return terms != other.terms ? terms < other.terms : constant < other.constant;
}

std::optional<Linear> sum(const Linear &a, const Linear &b, int64_t factor) {
  constexpr int64_t largest = int64_t(1) << 40;
  Linear result = a;
  bool fits = true;
  auto add = [&](int64_t &to, int64_t value) {
    __int128 total = to + static_cast<__int128>(value) * factor;
    fits &= total < largest && total > -largest;
    to = fits ? static_cast<int64_t>(total) : 0;
  };
  add(result.constant, b.constant);
  for (const auto &[unknown, coefficient] : b.terms) {
    int64_t &to = result.terms[unknown];
    add(to, coefficient);
    if (to == 0)
      result.terms.erase(unknown);
  }
  return fits ? std::optional(std::move(result)) : std::nullopt;
}

Linear renamed(const Linear &form, function_ref<Unknown(const Unknown &)> name) {
  Linear result = Linear::number(form.constant);
  for (const auto &[unknown, coefficient] : form.terms)
    result.terms[name(unknown)] += coefficient;
  std::erase_if(result.terms, [](const auto &term) { return term.second == 0; });
  return result;
}

Formula Formula::atMost(const Linear &a, const Linear &b, int64_t less) {
  auto difference = sum(a, b, -1);
  if (difference)
    difference = sum(*difference, Linear::number(less));
  return difference ? atMostZero(*difference) : anything();
}

Formula Formula::equal(const Linear &a, const Linear &b) {
  return atMost(a, b) & atMost(b, a);
}

bool Formula::isAnything() const {
  return any_of(any, [](const Conjunction &all) { return all.empty(); });
}

Formula Formula::operator&(const Formula &other) const {
  std::vector<Conjunction> result;
  for (const Conjunction &a : any)
    for (const Conjunction &b : other.any) {
      Conjunction both = a;
      for (const Linear &each : b)
        if (!is_contained(both, each))
          both.push_back(each);
      sort(both);
      if (!is_contained(result, both))
        result.push_back(std::move(both));
    }
  return result.size() <= most ? Formula(std::move(result)) : anything();
}

Formula Formula::operator|(const Formula &other) const {
  if (isAnything() || other.isAnything())
    return anything();
  std::vector<Conjunction> result = any;
  for (const Conjunction &each : other.any)
    if (!is_contained(result, each))
      result.push_back(each);
  return result.size() <= most ? Formula(std::move(result)) : anything();
}

Formula Formula::without(function_ref<bool(const Unknown &)> drop) const {
  std::vector<Conjunction> result;
  for (const Conjunction &all : any) {
    Conjunction kept;
    for (const Linear &each : all)
      if (none_of(each.terms, [&](const auto &term) { return drop(term.first); }))
        kept.push_back(each);
    result.push_back(std::move(kept));
  }
  return Formula(std::move(result));
}

Formula Formula::renamed(function_ref<Unknown(const Unknown &)> name) const {
  std::vector<Conjunction> result = any;
  for (Conjunction &all : result) {
    for (Linear &each : all)
      each = decode::renamed(each, name);
    sort(all);
  }
  return Formula(std::move(result));
}

/// `index(key) <= index(seq)`: what is added on the left, what is taken away on the right.
static std::string text(const Linear &form) {
  std::string left, right;
  for (const auto &[unknown, coefficient] : form.terms) {
    std::string &side = coefficient > 0 ? left : right;
    if (!side.empty())
      side += " + ";
    if (std::abs(coefficient) != 1)
      side += std::to_string(std::abs(coefficient)) + " * ";
    side += unknown.dim          ? "index(" + unknown.dim.str() + ")"
            : unknown.isOpaque() ? "a value"
                                 : "the last position";
  }
  bool strict = form.constant == 1 && !right.empty();
  if (form.constant > 0 && !strict)
    left += (left.empty() ? "" : " + ") + std::to_string(form.constant);
  if (form.constant < 0)
    right += (right.empty() ? "" : " + ") + std::to_string(-form.constant);
  return (left.empty() ? "0" : left) + (strict ? " < " : " <= ") + (right.empty() ? "0" : right);
}

std::string Formula::str() const {
  std::string result;
  for (const Conjunction &all : any) {
    std::string part;
    for (const Linear &each : all)
      part += (part.empty() ? "" : " and ") + text(each);
    result += (result.empty() ? "" : " or ") + (part.empty() ? "anything" : part);
  }
  return result.empty() ? "nothing" : result;
}

} // namespace weft::decode
