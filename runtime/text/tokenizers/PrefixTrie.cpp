// The array is filled level by level; the children of a node go where all of them find room.
#include "runtime/text/tokenizers/PrefixTrie.h"

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

/// Where nodes go. Free ones are a list in both directions, by `base` and `value`. Of it the first
/// few and the last few before the end are looked at: were all of them for each set of children, a
/// file could make that as long as the square of its size.
class PrefixTrie::Room {
public:
  explicit Room(std::vector<Node> &nodes) : nodes(nodes) { grow(firstPlace + bytes); }

  /// A base from which each branch leads to a free node.
  int32_t baseFor(const std::vector<Branch> &branches) {
    auto fits = [&](int32_t place) {
      int32_t base = place - branches.front().byte;
      return std::all_of(branches.begin(), branches.end(),
                         [&](const Branch &branch) { return isFree(base + branch.byte); });
    };
    constexpr int tries = 64;
    int32_t place = head;
    for (int left = tries; left > 0 && place != none; --left, place = at(place).base)
      if (fits(place))
        return place - branches.front().byte;
    int32_t found = lastTaken + 1; // behind which all are free
    place = found;
    for (int left = tries; left > 0 && place != none; --left, place = at(place).value)
      if (fits(place))
        found = place;
    return found - branches.front().byte;
  }
  void take(int32_t place, int32_t parent) {
    grow(place + 2 * bytes);
    Node &node = at(place);
    (node.value == none ? head : at(node.value).base) = node.base;
    (node.base == none ? tail : at(node.base).value) = node.value;
    node = {0, parent, none};
    lastTaken = std::max(lastTaken, place);
  }
  /// No more nodes are taken: those that are free lead nowhere.
  void finish() {
    for (int32_t place = head, next; place != none; place = next) {
      next = at(place).base;
      at(place) = Node();
    }
  }

private:
  static constexpr int32_t bytes = 256, firstPlace = bytes; // so that no base is negative
  Node &at(int32_t place) { return nodes[static_cast<size_t>(place)]; }
  int32_t size() const { return static_cast<int32_t>(nodes.size()); }
  bool isFree(int32_t place) { return place >= size() || at(place).parent == none; }
  void grow(int32_t least) {
    for (int32_t place = size(); place < least; ++place) {
      nodes.emplace_back();
      if (place < firstPlace) {
        nodes.back().parent = taken;
        continue;
      }
      nodes.back().value = tail;
      nodes.back().base = none;
      (tail == none ? head : at(tail).base) = place;
      tail = place;
    }
  }

  static constexpr int32_t taken = -2; // no child of anything, and not free
  std::vector<Node> &nodes;
  int32_t head = none, tail = none, lastTaken = firstPlace - 1;
};

PrefixTrie::PrefixTrie(std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.key, a.value) < std::tie(b.key, b.value);
  });
  Room room(nodes);
  std::vector<Range> ranges{{0, entries.size(), 0, root}};
  std::vector<Branch> branches;
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
    int32_t base = room.baseFor(branches);
    nodes[static_cast<size_t>(node)].base = base;
    for (const Branch &branch : branches) {
      int32_t child = base + branch.byte;
      room.take(child, node);
      ranges.push_back({branch.first, branch.last, depth + 1, child});
    }
  }
  room.finish();
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
