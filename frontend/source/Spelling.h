// "Did you mean": the known name nearest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The candidate at most a third of the letters away from `name` (and always one edit), the
/// nearest, of equals the first in the alphabet; or none.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string> &known);

} // namespace weft
