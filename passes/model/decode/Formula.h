// What is known of positions: linear inequalities, and what follows from them.
#ifndef WEFT_PASSES_MODEL_DECODE_FORMULA_H
#define WEFT_PASSES_MODEL_DECODE_FORMULA_H

#include "ir/model/Model.h"

#include <map>
#include <optional>
#include <vector>

namespace weft::decode {
using model::DimAttr, model::DimList;

/// A whole number that a formula speaks of: the position along `dim`, or (no `dim`) an element of a
/// value that is not understood, which has a `number`. The number of positions known so far is the
/// last index along a growing dimension.
struct Unknown {
  DimAttr dim;
  unsigned number = 0;

  static Unknown index(DimAttr dim) { return {dim, 0}; }
  static Unknown opaque(unsigned number) { return {{}, number + 1}; }
  static Unknown last() { return {}; }
  bool isOpaque() const { return !dim && number > 0; }
  bool operator==(const Unknown &) const = default;
  /// By name, so that nothing depends on addresses.
  bool operator<(const Unknown &other) const;
};

/// constant + sum of coefficients times unknowns.
struct Linear {
  std::map<Unknown, int64_t> terms; // no zeros
  int64_t constant = 0;

  static Linear number(int64_t value) { return {{}, value}; }
  static Linear of(const Unknown &unknown) { return {{{unknown, 1}}, 0}; }
  std::optional<int64_t> asNumber() const {
    return terms.empty() ? std::optional(constant) : std::nullopt;
  }
  bool operator==(const Linear &) const = default;
  bool operator<(const Linear &other) const;
};

/// a + factor * b; nothing if a coefficient reaches 2^40, so that arithmetic never overflows.
std::optional<Linear> sum(const Linear &a, const Linear &b, int64_t factor = 1);

/// A disjunction of conjunctions of `form <= 0`. It says where something may hold: literals that
/// cannot be expressed are left out, which only makes it weaker.
class Formula {
public:
  using Conjunction = std::vector<Linear>;
  static constexpr size_t most = 32; // disjuncts; beyond, `anything`

  static Formula anything() { return Formula({{}}); }
  static Formula nothing() { return Formula({}); }
  /// form <= 0
  static Formula atMostZero(const Linear &form) { return Formula({{form}}); }
  /// a + less <= b, a == b; `anything` where the numbers are too large.
  static Formula atMost(const Linear &a, const Linear &b, int64_t less = 0);
  static Formula equal(const Linear &a, const Linear &b);

  bool isAnything() const;
  const std::vector<Conjunction> &disjuncts() const { return any; }

  Formula operator&(const Formula &other) const;
  Formula operator|(const Formula &other) const;
  bool operator==(const Formula &) const = default;

  /// Without the literals that speak of an unknown that `drop` names.
  Formula without(llvm::function_ref<bool(const Unknown &)> drop) const;
  /// Every unknown under another name.
  Formula renamed(llvm::function_ref<Unknown(const Unknown &)> name) const;
  /// `index(key) <= index(seq)`
  std::string str() const;

private:
  explicit Formula(std::vector<Conjunction> any) : any(std::move(any)) {}
  std::vector<Conjunction> any;
};

Linear renamed(const Linear &form, llvm::function_ref<Unknown(const Unknown &)> name);

/// What is known of every index along `dim`: it grows with the sequence, or has a static size, or
/// neither.
struct Extent {
  bool grows = false;
  std::optional<int64_t> size;
};
using Extents = llvm::function_ref<Extent(DimAttr)>;

/// The largest value of `form` where `where` holds, or a bound on it: -infinity if it holds
/// nowhere, +infinity if no bound is found. Unknowns are eliminated over the rationals (Fourier and
/// Motzkin), which contain the integers.
double supremum(const Formula &where, const Linear &form, Extents extents);

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_FORMULA_H
