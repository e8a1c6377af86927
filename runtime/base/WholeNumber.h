// Whole numbers of a document. JSON has them up to 2^64, and the library makes those from 2^63 on
// negative where they are read as, or compared with, a signed number.
#ifndef WEFT_RUNTIME_BASE_WHOLENUMBER_H
#define WEFT_RUNTIME_BASE_WHOLENUMBER_H

#include "runtime/base/Json.h"

#include <limits>
#include <optional>

namespace weft::runtime {

/// The number, where it is a whole one from `least` to `most`.
inline std::optional<int64_t> wholeNumber(const Json &value,
                                          int64_t least = std::numeric_limits<int64_t>::min(),
                                          int64_t most = std::numeric_limits<int64_t>::max()) {
  bool fits = value.is_number_unsigned()
                  ? value.get<uint64_t>() <= uint64_t(std::numeric_limits<int64_t>::max())
                  : value.is_number_integer();
  if (!fits)
    return std::nullopt;
  auto number = value.get<int64_t>();
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

} // namespace weft::runtime
#endif
