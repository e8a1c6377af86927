// What `minimize` knows by name: arguments of optimizers, and kinds of data.
#pragma once

#include <span>
#include <string_view>

namespace weft {

/// The arguments of an optimizer that nobody gives it but `minimize`.
inline constexpr std::string_view filledByMinimize[] = {"value", "gradient", "step", "steps",
                                                        "matrix"};

/// Whether the log of a training calls something of its own `name`: results of the loss need
/// others.
bool isLogged(std::string_view name);

/// A kind of data, `data = text(tokens, next)`, and what it calls its tensors.
struct DataKind {
  std::string_view name;                   ///< "text"
  std::span<const std::string_view> roles; ///< in order; empty: any, as the loss calls them
};

/// The kind called `name`, or null.
const DataKind *findDataKind(std::string_view name);

} // namespace weft
