// Which two tokens beside each other become one, and in what order.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_MERGETABLE_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_MERGETABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::runtime {

class MergeTable {
public:
  struct Merge {
    int32_t rank, id; // those of lower rank come first
  };
  /// Of equal pairs the first counts. Ids are not negative.
  void add(int32_t left, int32_t right, Merge merge);
  /// Merges the pair of the lowest rank first, the leftmost of equals, until none is left.
  void apply(std::vector<int32_t> &ids) const;

private:
  /// A table with open addressing: a pair that is not there costs one look, which is what most are.
  struct Slot {
    uint64_t pair = free;
    Merge merge{0, 0};
  };
  static constexpr uint64_t free = UINT64_MAX;
  static uint64_t pairOf(int32_t left, int32_t right) {
    return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  }
  /// Where the pair is, or the free slot where it would be.
  size_t placeOf(uint64_t pair) const {
    size_t mask = slots.size() - 1, place = (pair * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (slots[place].pair != pair && slots[place].pair != free)
      place = (place + 1) & mask;
    return place;
  }
  const Merge *find(int32_t left, int32_t right) const {
    const Slot &slot = slots[placeOf(pairOf(left, right))];
    return slot.pair == free ? nullptr : &slot.merge;
  }
  void applyToFew(std::vector<int32_t> &ids) const;
  void applyToMany(std::vector<int32_t> &ids) const;
  std::vector<Slot> slots = std::vector<Slot>(16); // a power of two, at most half of them taken
  size_t taken = 0;
};

} // namespace weft::runtime
#endif
