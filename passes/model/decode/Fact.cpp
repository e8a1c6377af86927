// Joins of what is known of values.
#include "passes/model/decode/Fact.h"

using namespace mlir;

namespace weft::decode {

Reach join(Reach a, const Reach &b) {
  for (auto [dim, shift] : b) {
    auto [found, isNew] = a.try_emplace(dim, shift);
    found->second = std::max(found->second, shift);
  }
  return a;
}

Formula without(const Formula &formula, ArrayRef<DimAttr> dims) {
  return formula.without([&](const Unknown &unknown) {
    return unknown.isOpaque() || (unknown.dim && llvm::is_contained(dims, unknown.dim));
  });
}

Fact without(Fact fact, ArrayRef<DimAttr> dims) {
  for (auto &[constant, where] : fact.differs)
    where = without(where, dims);
  std::erase_if(fact.differs, [](const auto &entry) { return entry.second.isAnything(); });
  if (fact.truth)
    fact.truth = Truth{without(fact.truth->yes, dims), without(fact.truth->no, dims)};
  if (fact.whole) {
    bool speaks = llvm::any_of(fact.whole->form.terms, [&](const auto &term) {
      return term.first.isOpaque() || llvm::is_contained(dims, term.first.dim);
    });
    if (speaks)
      fact.whole.reset();
    else
      fact.whole->where = without(fact.whole->where, dims);
  }
  return fact;
}

Split splitOff(Reach reach, DimAttr dim) {
  auto own = reach.find(dim);
  int64_t ahead = own == reach.end() ? 0 : std::max<int64_t>(own->second, 0);
  reach.erase(dim);
  return {std::move(reach), ahead};
}

Fact either(const Fact &a, const Fact &b) {
  Fact result;
  result.unbounded = a.unbounded ? a.unbounded : b.unbounded;
  result.ahead = a.ahead ? a.ahead : b.ahead;
  result.reach = join(a.reach, b.reach);
  // Values of one pass are not those of the next: literals about them are left out.
  for (const auto &[constant, where] : a.differs)
    if (auto found = b.differs.find(constant); found != b.differs.end())
      result.differs.emplace(constant, without(where | found->second, {}));
  std::erase_if(result.differs, [](const auto &entry) { return entry.second.isAnything(); });
  return result;
}

} // namespace weft::decode
