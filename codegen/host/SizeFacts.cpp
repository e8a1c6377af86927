// Sizes in the facts of a program.
#include "codegen/host/SizeFacts.h"

#include "ir/size/SizeOrder.h"

using namespace llvm;

namespace weft {

json::Value numberOf(StringRef dim, const kernel::DimTable &dims) {
  auto at = dims.dims.find(dim);
  return at == dims.dims.end() ? json::Value(nullptr) : json::Value(int64_t(at->second.number));
}

static json::Array sum(const Size &size, const kernel::DimTable &dims) {
  json::Array terms;
  for (const auto &[powers, coefficient] : size.terms()) {
    json::Array term{coefficient.numerator};
    for (const auto &[name, power] : powers)
      for (int i = 0; i < power; ++i)
        term.push_back(numberOf(name, dims));
    terms.push_back(std::move(term));
  }
  return terms;
}

json::Value formulaOf(const Size &size, const kernel::DimTable &dims) {
  if (std::optional<int64_t> known = dims.known(size))
    return json::Array{json::Array{*known}};
  Fraction parts = fraction(size);
  if (parts.below == Size::number(1))
    return sum(parts.above, dims);
  return json::Object{{"above", sum(parts.above, dims)}, {"below", sum(parts.below, dims)}};
}

} // namespace weft
