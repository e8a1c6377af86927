// The cheapest set of values from which others can be computed.
#include "passes/model/MinCut.h"

#include <algorithm>

using namespace weft;

unsigned MinCut::node() {
  rest_.emplace_back();
  return rest_.size() - 1;
}

void MinCut::edge(unsigned from, unsigned to, double capacity) {
  rest_[from][to] += capacity;
  rest_[to][from] += 0;
}

std::vector<bool> MinCut::solve() {
  constexpr unsigned none = -1;
  while (true) {
    std::vector<unsigned> before(rest_.size(), none), queue = {source};
    before[source] = source;
    for (size_t next = 0; next < queue.size() && before[sink] == none; ++next)
      for (auto [to, carries] : rest_[queue[next]])
        if (carries > 0 && before[to] == none) {
          before[to] = queue[next];
          queue.push_back(to);
        }
    if (before[sink] == none) {
      std::vector<bool> side(rest_.size());
      for (size_t i = 0; i < side.size(); ++i)
        side[i] = before[i] != none;
      return side;
    }
    double flow = unlimited;
    for (unsigned at = sink; at != source; at = before[at])
      flow = std::min(flow, rest_[before[at]][at]);
    if (flow == unlimited)
      return {};
    for (unsigned at = sink; at != source; at = before[at]) {
      rest_[before[at]][at] -= flow;
      rest_[at][before[at]] += flow;
    }
  }
}
