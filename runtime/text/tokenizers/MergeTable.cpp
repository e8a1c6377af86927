// Words are short: of few tokens the best pair is searched; of many, a queue keeps the order.
#include "runtime/text/tokenizers/MergeTable.h"

#include <algorithm>
#include <queue>
#include <tuple>

using namespace weft::runtime;

void MergeTable::add(int32_t left, int32_t right, Merge merge) {
  if (2 * (taken + 1) > slots.size()) {
    std::vector<Slot> before(2 * slots.size());
    before.swap(slots);
    for (const Slot &slot : before)
      if (slot.pair != free)
        slots[placeOf(slot.pair)] = slot;
  }
  uint64_t pair = pairOf(left, right);
  Slot &slot = slots[placeOf(pair)];
  if (slot.pair != free)
    return;
  slot = {pair, merge};
  ++taken;
}

void MergeTable::applyToFew(std::vector<int32_t> &ids) const {
  std::vector<Merge> pairs; // what the token at the same place becomes with the next one
  constexpr Merge none{INT32_MAX, 0};
  auto at = [&](size_t i) {
    const Merge *merge = i + 1 < ids.size() ? find(ids[i], ids[i + 1]) : nullptr;
    return merge ? *merge : none;
  };
  for (size_t i = 0; i < ids.size(); ++i)
    pairs.push_back(at(i));
  while (ids.size() > 1) {
    auto best = std::min_element(pairs.begin(), pairs.end(),
                                 [](Merge a, Merge b) { return a.rank < b.rank; });
    if (best->rank == none.rank)
      return;
    auto place = best - pairs.begin();
    ids[place] = best->id;
    ids.erase(ids.begin() + place + 1);
    pairs.erase(best);
    pairs[place] = at(place);
    if (place > 0)
      pairs[place - 1] = at(place - 1);
  }
}

void MergeTable::applyToMany(std::vector<int32_t> &ids) const {
  struct Part {
    int32_t id; // -1: merged into the one before
    int64_t previous, next;
  };
  struct Pair {
    int32_t rank;
    int64_t at;
    int32_t left, right, merged;
    bool operator<(const Pair &other) const {
      return std::tie(rank, at) > std::tie(other.rank, other.at);
    }
  };
  auto count = static_cast<int64_t>(ids.size());
  std::vector<Part> parts(ids.size());
  std::priority_queue<Pair> queue;
  auto consider = [&](int64_t at) {
    int64_t next = at < 0 ? count : parts[at].next;
    if (next >= count)
      return;
    if (const Merge *merge = find(parts[at].id, parts[next].id))
      queue.push({merge->rank, at, parts[at].id, parts[next].id, merge->id});
  };
  for (int64_t i = 0; i < count; ++i)
    parts[i] = {ids[i], i - 1, i + 1};
  for (int64_t i = 0; i < count; ++i)
    consider(i);
  while (!queue.empty()) {
    Pair pair = queue.top();
    queue.pop();
    Part &left = parts[pair.at];
    if (left.id != pair.left || left.next >= count || parts[left.next].id != pair.right)
      continue; // merged otherwise meanwhile
    Part &right = parts[left.next];
    left.id = pair.merged;
    right.id = -1;
    left.next = right.next;
    if (left.next < count)
      parts[left.next].previous = pair.at;
    consider(left.previous);
    consider(pair.at);
  }
  ids.clear();
  for (int64_t i = 0; i < count; i = parts[i].next)
    ids.push_back(parts[i].id);
}

void MergeTable::apply(std::vector<int32_t> &ids) const {
  constexpr size_t few = 64;
  if (ids.size() < 2)
    return;
  if (ids.size() <= few)
    applyToFew(ids);
  else
    applyToMany(ids);
}
