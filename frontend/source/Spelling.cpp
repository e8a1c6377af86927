// Damerau-Levenshtein distance (Damerau 1964), for suggesting names.
#include "frontend/source/Spelling.h"

#include <algorithm>
#include <utility>

namespace weft {

/// Edits that turn `a` into `b`: insertions, deletions, replacements, swaps of neighbours.
static unsigned editDistance(std::string_view a, std::string_view b) {
  std::vector<unsigned> before, previous(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    previous[j] = static_cast<unsigned>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(previous, row);
  }
  return previous[b.size()];
}

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string> &known) {
  constexpr size_t longest = 64; // longer names are not typed by hand
  if (name.size() > longest)
    return std::nullopt;
  size_t allowed = std::max<size_t>(1, name.size() / 3);
  std::optional<std::string> best;
  size_t bestDistance = allowed + 1;
  for (const std::string &candidate : known) {
    if (candidate == name || candidate.size() > name.size() + allowed ||
        name.size() > candidate.size() + allowed)
      continue;
    size_t distance = editDistance(name, candidate);
    // A name of one letter is one edit from every other.
    if (distance > allowed || distance >= std::max(name.size(), candidate.size()))
      continue;
    if (distance < bestDistance || (distance == bestDistance && candidate < *best)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

} // namespace weft
