// Which of many strings a text begins with.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_PREFIXTRIE_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_PREFIXTRIE_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::runtime {

/// Strings by their bytes, as a double array (Aoe 1989): the child of a node behind a byte is at
/// the node's base plus the byte, if the node there says so.
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
    int32_t child = nodes[static_cast<size_t>(node)].base + byte;
    return nodes[static_cast<size_t>(child)].parent == node ? child : none;
  }
  /// The value of the string that ends at a node, or `none`.
  int32_t valueAt(int32_t node) const { return nodes[static_cast<size_t>(node)].value; }

  struct Match {
    int32_t value = none;
    size_t length = 0; // 0: none of the strings
  };
  /// The longest string that `text` begins with, searched from a node.
  Match longest(std::string_view text, int32_t from = root) const;

private:
  struct Node {
    int32_t base = 0, parent = none, value = none; // without parent: free
  };
  class Room;
  std::vector<Node> nodes; // 256 more than there are, so that every child is inside
};

} // namespace weft::runtime
#endif
