// Compares build-time values by kind.
#include "frontend/configure/Fits.h"

#include <fmt/format.h>

namespace weft {

std::string kindOf(const Static &like) {
  if (std::holds_alternative<bool>(like))
    return "a switch";
  if (auto *number = std::get_if<StaticNumber>(&like))
    return number->whole ? "a whole number" : "a number";
  return fmt::format("a function like `{}`", show(like));
}

bool isOfKind(const Static &value, const Static &like) {
  auto *given = std::get_if<StaticNumber>(&value), *number = std::get_if<StaticNumber>(&like);
  return value.index() == like.index() && (!number || given->whole || !number->whole);
}

} // namespace weft
