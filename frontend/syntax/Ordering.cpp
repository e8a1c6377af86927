// Depth-first search with its own stack: chains of definitions may be longer than the call stack is
// deep.
#include "frontend/syntax/Ordering.h"

#include <algorithm>

namespace weft {

Ordering dependenciesFirst(const std::vector<std::vector<size_t>> &uses) {
  enum class State : char { unseen, open, done };
  struct Frame {
    size_t node, next;
  };
  Ordering result;
  std::vector<State> state(uses.size(), State::unseen);
  std::vector<bool> inCycle(uses.size(), false);
  std::vector<Frame> stack;

  auto close = [&](size_t node) {
    auto start = std::find_if(stack.begin(), stack.end(),
                              [&](const Frame &frame) { return frame.node == node; });
    if (std::any_of(start, stack.end(), [&](const Frame &f) { return inCycle[f.node]; }))
      return;
    std::vector<size_t> &cycle = result.cycles.emplace_back();
    for (; start != stack.end(); ++start) {
      cycle.push_back(start->node);
      inCycle[start->node] = true;
    }
  };

  for (size_t root = 0; root < uses.size(); ++root) {
    if (state[root] != State::unseen)
      continue;
    state[root] = State::open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Frame &top = stack.back();
      if (top.next == uses[top.node].size()) {
        state[top.node] = State::done;
        result.order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      size_t node = uses[top.node][top.next++];
      if (state[node] == State::open)
        close(node);
      if (state[node] != State::unseen)
        continue;
      state[node] = State::open;
      stack.push_back({node, 0});
    }
  }
  return result;
}

} // namespace weft
