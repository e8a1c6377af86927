// Which of many strings a text begins with.
#ifndef WEFT_RUNTIME_TOKENIZERS_PREFIXTRIE_H
#define WEFT_RUNTIME_TOKENIZERS_PREFIXTRIE_H

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::runtime {

/// Strings by their bytes. The children of a node lie next to each other, sorted, so a node is 12
/// bytes and building takes one sort.
class PrefixTrie {
public:
  struct Entry {
    std::string_view key; // not empty
    int32_t value;        // not negative
  };
  static constexpr int32_t none = -1, root = 0;

  PrefixTrie() : PrefixTrie(std::vector<Entry>()) {}
  /// Of equal keys the lowest value counts.
  explicit PrefixTrie(std::vector<Entry> entries);

  /// The node behind `byte`, or `none`.
  int32_t step(int32_t node, unsigned char byte) const {
    if (node == root)
      return fromRoot[byte];
    uint32_t first = nodes[node].firstChild, last = first + nodes[node].children;
    if (last - first > 8) // few have so many
      return search(first, last, byte);
    for (; first < last; ++first)
      if (nodes[first].label == byte)
        return static_cast<int32_t>(first);
    return none;
  }
  /// The value of the string that ends at a node, or `none`.
  int32_t valueAt(int32_t node) const { return nodes[node].value; }

  struct Match {
    int32_t value;
    size_t length; // 0: none of the strings
  };
  /// The longest string that `text` begins with, searched from a node.
  Match longest(std::string_view text, int32_t from = root) const;

private:
  struct Node {
    uint32_t firstChild = 0;
    int32_t value = none;
    uint16_t children = 0;
    unsigned char label = 0;
  };
  int32_t search(uint32_t first, uint32_t last, unsigned char byte) const;
  std::vector<Node> nodes;
  std::array<int32_t, 256> fromRoot;
};

} // namespace weft::runtime
#endif
