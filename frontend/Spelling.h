// "Did you mean": the known name nearest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::sema {

/// Edits that turn `a` into `b`: insertions, deletions, replacements, swaps of neighbours.
unsigned editDistance(std::string_view a, std::string_view b);

/// The candidate at most a third of the letters away from `name` (and always one edit), the
/// nearest, of equals the first in the alphabet; or none.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string> &known);

} // namespace weft::sema
