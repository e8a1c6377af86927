// Bounded products of sizes, and proofs that one is not negative.
#include "frontend/semantics/Sizes.h"

#include <cctype>

namespace weft::sema {

Size undefinedSize() {
  return Size::number(1) / Size();
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

static SizeFacts factsOf(const Bounds &bound) {
  SizeFacts facts;
  facts.most = [&bound](const std::string &atom) {
    const Size *most = bound(atom);
    return most ? std::optional(*most) : std::nullopt;
  };
  return facts;
}

bool isNonNegative(const Size &size, const Bounds &bound) {
  return weft::isNonNegative(size, factsOf(bound));
}

bool isPositive(const Size &size, const Bounds &bound) {
  return weft::isPositive(size, factsOf(bound));
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
