// Minimum cuts: the cheapest set of values from which others can be computed.
#include "passes/model/MinCut.h"

#include <algorithm>

using namespace weft;

unsigned MinCut::node() {
  residual_.emplace_back();
  return residual_.size() - 1;
}

void MinCut::edge(unsigned from, unsigned to, double capacity) {
  residual_[from][to] += capacity;
  residual_[to][from] += 0;
}

std::vector<bool> MinCut::solve() {
  constexpr unsigned none = -1;
  while (true) {
    std::vector<unsigned> before(residual_.size(), none), queue = {source};
    before[source] = source;
    for (size_t next = 0; next < queue.size() && before[sink] == none; ++next)
      for (auto [to, residual] : residual_[queue[next]])
        if (residual > 0 && before[to] == none) {
          before[to] = queue[next];
          queue.push_back(to);
        }
    if (before[sink] == none) {
      std::vector<bool> side(residual_.size());
      for (size_t i = 0; i < side.size(); ++i)
        side[i] = before[i] != none;
      return side;
    }
    double flow = unlimited;
    for (unsigned at = sink; at != source; at = before[at])
      flow = std::min(flow, residual_[before[at]][at]);
    if (flow == unlimited)
      return {};
    for (unsigned at = sink; at != source; at = before[at]) {
      residual_[before[at]][at] -= flow;
      residual_[at][before[at]] += flow;
    }
  }
}
