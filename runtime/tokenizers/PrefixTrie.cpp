// The array is filled level by level; the children of a node go where all of them find room.
#include "runtime/tokenizers/PrefixTrie.h"

#include <algorithm>
#include <tuple>

using namespace weft::runtime;

namespace {
/// Entries that share the path to a node.
struct Range {
  size_t first, last, depth;
  int32_t node;
};
/// The entries behind one byte.
struct Branch {
  unsigned char byte;
  size_t first, last;
};
} // namespace

PrefixTrie::PrefixTrie(std::vector<Entry> entries) {
  constexpr int32_t bytes = 256;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.key, a.value) < std::tie(b.key, b.value);
  });
  nodes.resize(bytes + 1);
  constexpr int32_t ofRoot = -2; // no child of anything, and not free
  nodes[root].parent = ofRoot;
  nodes[root].base = 1;
  std::vector<Range> ranges{{0, entries.size(), 0, root}};
  std::vector<Branch> branches;
  int32_t firstFree = 1;
  for (size_t i = 0; i < ranges.size(); ++i) {
    auto [next, last, depth, node] = ranges[i];
    for (; next < last && entries[next].key.size() == depth; ++next)
      if (nodes[static_cast<size_t>(node)].value == none && depth > 0)
        nodes[static_cast<size_t>(node)].value = entries[next].value;
    branches.clear();
    while (next < last) {
      Branch branch{static_cast<unsigned char>(entries[next].key[depth]), next, next};
      while (branch.last < last &&
             static_cast<unsigned char>(entries[branch.last].key[depth]) == branch.byte)
        ++branch.last;
      next = branch.last;
      branches.push_back(branch);
    }
    if (branches.empty())
      continue;
    auto isFree = [&](int32_t place) {
      return place > 0 && (place >= static_cast<int32_t>(nodes.size()) ||
                           nodes[static_cast<size_t>(place)].parent == none);
    };
    while (!isFree(firstFree))
      ++firstFree;
    int32_t base = std::max(firstFree - branches.front().byte, 0);
    while (!std::all_of(branches.begin(), branches.end(),
                        [&](const Branch &branch) { return isFree(base + branch.byte); }))
      ++base;
    nodes.resize(std::max(nodes.size(), static_cast<size_t>(base + 2 * bytes)));
    nodes[static_cast<size_t>(node)].base = base;
    for (const Branch &branch : branches) {
      int32_t child = base + branch.byte;
      nodes[static_cast<size_t>(child)].parent = node;
      ranges.push_back({branch.first, branch.last, depth + 1, child});
    }
  }
}

PrefixTrie::Match PrefixTrie::longest(std::string_view text, int32_t from) const {
  Match match;
  int32_t node = from;
  for (size_t i = 0; i < text.size(); ++i) {
    node = step(node, static_cast<unsigned char>(text[i]));
    if (node == none)
      break;
    if (valueAt(node) != none)
      match = {valueAt(node), i + 1};
  }
  return match;
}
