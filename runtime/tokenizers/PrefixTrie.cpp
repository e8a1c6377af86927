// The trie is laid out level by level.
#include "runtime/tokenizers/PrefixTrie.h"

#include <algorithm>
#include <tuple>

using namespace weft::runtime;

PrefixTrie::PrefixTrie(std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.key, a.value) < std::tie(b.key, b.value);
  });
  struct Range {
    size_t first, last; // of the entries that share the node's path
    size_t depth;
  };
  std::vector<Range> ranges{{0, entries.size(), 0}};
  nodes.emplace_back();
  for (size_t node = 0; node < ranges.size(); ++node) {
    auto [next, last, depth] = ranges[node];
    for (; next < last && entries[next].key.size() == depth; ++next)
      if (nodes[node].value == none && depth > 0)
        nodes[node].value = entries[next].value;
    nodes[node].firstChild = static_cast<uint32_t>(nodes.size());
    while (next < last) {
      size_t begin = next;
      char label = entries[begin].key[depth];
      while (next < last && entries[next].key[depth] == label)
        ++next;
      nodes.push_back({.label = static_cast<unsigned char>(label)});
      ranges.push_back({begin, next, depth + 1});
      ++nodes[node].children;
    }
  }
  fromRoot.fill(none);
  for (uint32_t child = 0; child < nodes[root].children; ++child) {
    uint32_t node = nodes[root].firstChild + child;
    fromRoot[nodes[node].label] = static_cast<int32_t>(node);
  }
}

int32_t PrefixTrie::search(uint32_t first, uint32_t last, unsigned char byte) const {
  auto begin = nodes.begin() + first, end = nodes.begin() + last;
  auto found = std::lower_bound(
      begin, end, byte, [](const Node &node, unsigned char label) { return node.label < label; });
  return found != end && found->label == byte ? static_cast<int32_t>(found - nodes.begin()) : none;
}

PrefixTrie::Match PrefixTrie::longest(std::string_view text, int32_t from) const {
  Match match{none, 0};
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
