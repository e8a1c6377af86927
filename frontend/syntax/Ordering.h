// Dependencies before their users, and the cycles that have no such order.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

struct Ordering {
  std::vector<size_t> order; ///< every node once, what it uses before it
  /// Rings of nodes, each using the next; no node is in two of them.
  std::vector<std::vector<size_t>> cycles;
};

/// `uses[i]` are the nodes that node i needs first.
Ordering dependenciesFirst(const std::vector<std::vector<size_t>> &uses);

} // namespace weft
