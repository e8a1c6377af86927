// The kinds of data that `minimize(…, data = …)` names, and what each calls its tensors.
#pragma once

#include <span>
#include <string_view>

namespace weft {

struct DataKind {
  std::string_view name;                   ///< "text"
  std::span<const std::string_view> roles; ///< in order; empty: any, as the loss calls them
};

/// The kind called `name`, or null.
const DataKind *findDataKind(std::string_view name);

} // namespace weft
