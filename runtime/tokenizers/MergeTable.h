// Which two tokens beside each other become one, and in what order.
#ifndef WEFT_RUNTIME_TOKENIZERS_MERGETABLE_H
#define WEFT_RUNTIME_TOKENIZERS_MERGETABLE_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace weft::runtime {

class MergeTable {
public:
  struct Merge {
    int32_t rank, id; // those of lower rank come first
  };
  /// Of equal pairs the first counts.
  void add(int32_t left, int32_t right, Merge merge) {
    merges.emplace(static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right), merge);
  }
  /// Merges the pair of the lowest rank first, the leftmost of equals, until none is left.
  void apply(std::vector<int32_t> &ids) const;

private:
  const Merge *find(int32_t left, int32_t right) const {
    auto found = merges.find(static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right));
    return found == merges.end() ? nullptr : &found->second;
  }
  void applyToFew(std::vector<int32_t> &ids) const;
  void applyToMany(std::vector<int32_t> &ids) const;
  std::unordered_map<uint64_t, Merge> merges;
};

} // namespace weft::runtime
#endif
