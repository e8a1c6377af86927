// Minimum cuts: the cheapest set of values from which others can be computed.
#ifndef WEFT_PASSES_MODEL_MINCUT_H
#define WEFT_PASSES_MODEL_MINCUT_H

#include <limits>
#include <map>
#include <vector>

namespace weft {

/// A network with a source and a sink, whose cheapest cut is found by augmenting shortest paths
/// (Edmonds and Karp, 1972).
class MinCut {
public:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  static constexpr unsigned source = 0, sink = 1;

  /// A new node, by number.
  unsigned node();
  /// Adds to the capacity from one node to another.
  void edge(unsigned from, unsigned to, double capacity);
  /// The nodes on the source's side of a cheapest cut; among equal cuts the one nearest to the
  /// source. Empty if every cut is unlimited.
  std::vector<bool> solve();

private:
  std::vector<std::map<unsigned, double>> residual_{2}; // [from][to]: residual capacity of the edge
};

} // namespace weft

#endif // WEFT_PASSES_MODEL_MINCUT_H
